//! The grade of one task: seven letters, each with its reasons.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use wb_text::Text;

use crate::{Letter, Points, ReasonKind};

/// The points of one student's task for one assignment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskGrade {
    /// The student's login in the roster.
    pub login: String,
    /// The number of the assignment: 1, 2 or 3.
    pub assignment: u8,
    /// The variant that the student was given; 0 where none was given, and on a public scoreboard.
    pub variant: u8,
    /// The package of the task; `None` without one, and on a public scoreboard.
    pub task: Option<String>,
    /// The graded commit; `None` when nothing was submitted, and on a public scoreboard.
    pub commit: Option<String>,
    /// Whether a task was merged at the moment of the grade; for a dry run, whether there is one.
    pub submitted: bool,
    /// Whether inputs and oracle were the instructor's; `None` when nothing was submitted, and on a public scoreboard.
    pub instructor_owned: Option<bool>,
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LetterGrade {
    /// The letter.
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// The subject.
    pub kind: ReasonKind,
    /// The finding.
    #[cfg_attr(test, schemars(with = "crate::text_schema::TextSchema"))]
    pub text: Text,
    /// The points that were not given for this reason, not negative.
    pub lost: Points,
    /// What would earn them; `None` where nothing would, or nothing was lost.
    #[cfg_attr(test, schemars(with = "Option<crate::text_schema::TextSchema>"))]
    pub remedy: Option<Text>,
}

/// A change by an instructor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AppliedOverride {
    /// The letter.
    pub letter: Letter,
    /// The points that the evidence gives.
    pub from: Points,
    /// The points that count.
    pub to: Points,
    /// The instructor.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// The reason.
    pub reason: String,
}

impl TaskGrade {
    /// The reasons of one of its letters; that of an override comes with the override.
    pub fn explained<'a>(
        &'a self,
        grade: &'a LetterGrade,
    ) -> impl Iterator<Item = (&'a Reason, Option<&'a AppliedOverride>)> {
        let mut changes = self.overrides.iter().filter(|change| change.letter == grade.letter);
        grade.reasons.iter().map(move |reason| {
            let change = (reason.kind == ReasonKind::SetByInstructor).then(|| changes.next()).flatten();
            (reason, change)
        })
    }

    /// Whether the grade says something of the student's work: a task was submitted, or an instructor set points.
    pub fn is_graded(&self) -> bool {
        let is_set = |letter: &LetterGrade| letter.is_set_by_instructor();
        self.submitted || self.letters.iter().any(is_set)
    }

    /// The grade of `letter`, if it is there.
    pub fn letter(&self, letter: Letter) -> Option<&LetterGrade> {
        self.letters.iter().find(|grade| grade.letter == letter)
    }
}

impl LetterGrade {
    /// Whether an instructor set the points.
    pub fn is_set_by_instructor(&self) -> bool {
        self.reasons.iter().any(|reason| reason.kind == ReasonKind::SetByInstructor)
    }
}
