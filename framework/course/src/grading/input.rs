//! All that a grade depends on.

use jiff::Timestamp;

use super::{
    decision::{ConfirmedCopy, OverrideDecision},
    rules::GradingRules,
};
use crate::Evidence;

/// All that one grade depends on.
#[derive(Clone, Copy, Debug)]
pub struct GradingInput<'a> {
    /// The settings.
    pub rules: &'a GradingRules,
    /// The student's login.
    pub login: &'a str,
    /// The number of the assignment.
    pub assignment: u8,
    /// The variant that the student was given.
    pub variant: u8,
    /// The evidence; `None` where nothing was submitted.
    pub evidence: Option<&'a Evidence>,
    /// Changes by instructors, of this student and assignment.
    pub overrides: &'a [OverrideDecision],
    /// Confirmed similarities, of this student and assignment.
    pub copies: &'a [ConfirmedCopy],
    /// The moment of the grade: what came later does not count.
    pub at: Timestamp,
    /// Whether a state that is not merged is graded as if it were merged at `at`.
    pub dry_run: bool,
}
