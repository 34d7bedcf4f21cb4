//! The streams with their groups, and the extensions of single students.

use serde::Deserialize;

use super::CourseDate;
use crate::value;

/// One stream: the groups that hear the lectures together.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StreamSettings {
    /// Its name.
    #[serde(deserialize_with = "value::text")]
    pub name: String,
    /// Its groups.
    #[serde(deserialize_with = "value::texts")]
    pub groups: Vec<String>,
}

/// A later deadline of one student for one assignment.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtensionSettings {
    /// The student.
    #[serde(deserialize_with = "value::login")]
    pub login: String,
    /// The assignment.
    #[serde(deserialize_with = "value::whole::<_, _, 1, 3>")]
    pub assignment: u8,
    /// The deadline in the place of the group's.
    pub until: CourseDate,
    /// The reason.
    #[serde(deserialize_with = "value::text")]
    pub reason: String,
    /// The instructor who granted it.
    #[serde(deserialize_with = "value::text")]
    pub by: String,
}
