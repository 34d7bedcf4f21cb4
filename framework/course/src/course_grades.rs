//! `grades.json`: the grades of a course and the moment for which they were computed.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::TaskGrade;

/// The format of the file; a program refuses a newer one.
pub const GRADES_SCHEMA: u32 = 1;

/// The grades of a course at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CourseGrades {
    /// [`GRADES_SCHEMA`] of the program that wrote it.
    pub schema: u32,
    /// The moment of the grades, the `--at` of `cargo wb grade`.
    pub at: Timestamp,
    /// One grade for each student and assignment, in the order of the roster.
    pub grades: Vec<TaskGrade>,
}

impl CourseGrades {
    /// The grades of the moment `at`.
    pub fn new(at: Timestamp, grades: Vec<TaskGrade>) -> Self {
        Self { schema: GRADES_SCHEMA, at, grades }
    }

    /// The file's text: indented JSON, with a line end.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("grades have string keys only") + "\n"
    }
}
