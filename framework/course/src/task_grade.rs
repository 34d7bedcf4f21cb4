//! The grade of one task: seven letters, each with its reasons.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use wb_text::Text;

use crate::{Letter, Points};

/// What one student's task for one assignment has earned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskGrade {
    /// The student's login in the roster.
    pub login: String,
    /// The number of the assignment: 1, 2 or 3.
    pub assignment: u8,
    /// The variant that the student was given.
    pub variant: u8,
    /// The package of the task; `None` when nothing was submitted.
    pub task: Option<String>,
    /// The graded commit; `None` when nothing was submitted.
    pub commit: Option<String>,
    /// Whether inputs and oracle were the instructor's; `false` where the variant has no crate of the instructor's.
    pub instructor_owned: bool,
    /// All letters, in the order of [`Letter::ALL`].
    pub letters: Vec<LetterGrade>,
    /// The sum of the letters' points, not below zero.
    pub total: Points,
    /// The greatest possible sum.
    pub of: Points,
    /// What an instructor has changed by hand.
    pub overrides: Vec<AppliedOverride>,
}

/// One letter of a grade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LetterGrade {
    /// Which letter.
    pub letter: Letter,
    /// The points that it adds; negative for a penalty, zero for [`Letter::Acceleration`] and [`Letter::Efficiency`].
    pub points: Points,
    /// The greatest number of points; `None` for letters that earn none.
    pub of: Option<Points>,
    /// The measured number, for [`Letter::Acceleration`] (a ratio) and [`Letter::Efficiency`] (per cent).
    pub measured: Option<MeasuredInterval>,
    /// What the points follow from; at least one reason for every point that was not given.
    pub reasons: Vec<Reason>,
}

/// A measured number with its interval of confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredInterval {
    /// The lower end.
    pub low: f64,
    /// The estimate.
    pub value: f64,
    /// The upper end.
    pub high: f64,
    /// The number of ranks at which it was measured.
    pub ranks: u32,
}

/// One reason of a letter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// What was found.
    pub text: Text,
    /// The points that were not given for this reason, not negative.
    pub lost: Points,
    /// What would earn them; `None` where nothing would, or nothing was lost.
    pub remedy: Option<Text>,
}

/// A change by an instructor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AppliedOverride {
    /// Which letter.
    pub letter: Letter,
    /// The points that the evidence gives.
    pub from: Points,
    /// The points that count.
    pub to: Points,
    /// The instructor.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// Why.
    pub reason: String,
}

impl TaskGrade {
    /// The grade of `letter`, if it is there.
    pub fn letter(&self, letter: Letter) -> Option<&LetterGrade> {
        self.letters.iter().find(|grade| grade.letter == letter)
    }
}
