//! `scoreboard.json`: all that the pages of a scoreboard show.

mod build;
mod public;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use wb_text::Text;

pub use build::ScoreboardInput;

use crate::{Points, TaskGrade, task_grade::MeasuredInterval};

/// The format of the file; a program refuses a newer one.
pub const SCOREBOARD_SCHEMA: u32 = 2;

/// The scoreboard of a course at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Scoreboard {
    /// [`SCOREBOARD_SCHEMA`] of the program that wrote it.
    pub schema: u32,
    /// The course.
    #[cfg_attr(test, schemars(with = "crate::text_schema::TextSchema"))]
    pub title: Text,
    /// The moment for which grades were computed, the `--at` of `cargo wb grade`.
    pub at: Timestamp,
    /// The time zone of the course, an IANA name such as `Europe/Moscow`.
    pub time_zone: String,
    /// The people who may see it.
    pub visibility: Visibility,
    /// Whether all students and results are invented (`cargo wb course demo`); every page says so.
    pub synthetic: bool,
    /// The assignments, by number.
    pub assignments: Vec<ScoreboardAssignment>,
    /// The students, by group and name; on a public scoreboard by pseudonym.
    pub students: Vec<ScoreboardStudent>,
}

/// The people who may see a scoreboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Visibility {
    /// Everyone: students have pseudonyms, and what would identify them is not in the file.
    Public,
    /// Instructors: names and logins.
    Private,
}

/// One assignment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ScoreboardAssignment {
    /// 1, 2 or 3.
    pub number: u8,
    /// The subject of the assignment.
    #[cfg_attr(test, schemars(with = "crate::text_schema::TextSchema"))]
    pub title: Text,
    /// The greatest number of points.
    pub of: Points,
    /// The variants of the assignment, by number from 1.
    pub variants: Vec<ScoreboardVariant>,
}

/// One variant of an assignment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ScoreboardVariant {
    /// The number of the variant, from 1.
    pub number: u8,
    /// The title of the variant.
    #[cfg_attr(test, schemars(with = "crate::text_schema::TextSchema"))]
    pub title: Text,
}

/// One student.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ScoreboardStudent {
    /// The login; on a public scoreboard the pseudonym.
    pub id: String,
    /// The name; `None` on a public scoreboard.
    pub name: Option<String>,
    /// The stream of the group; `None` on a public scoreboard.
    pub stream: Option<String>,
    /// The group; `None` on a public scoreboard.
    pub group: Option<String>,
    /// The sum over all tasks.
    pub total: Points,
    /// The greatest possible sum.
    pub of: Points,
    /// The mark on the course's scale that `total` earns; `None` while the scale has none for it.
    pub mark: Option<String>,
    /// The grades, by assignment; one for each assignment, also where nothing was submitted.
    pub tasks: Vec<TaskGrade>,
    /// Measurements by commit, oldest first; none on a public scoreboard.
    pub history: Vec<HistoryPoint>,
}

/// The speed-up and efficiency of one task at one commit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HistoryPoint {
    /// The assignment.
    pub assignment: u8,
    /// The commit.
    pub commit: String,
    /// The time of the commit.
    pub at: Timestamp,
    /// The speed-up.
    pub speedup: Option<MeasuredInterval>,
    /// The efficiency, in per cent.
    pub efficiency: Option<MeasuredInterval>,
}
