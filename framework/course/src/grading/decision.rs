//! What instructors have decided by hand: overrides and confirmed copying.

use jiff::Timestamp;

use crate::{Letter, Points, SolutionPart};

/// A change of one letter by an instructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverrideDecision {
    /// The letter, one of those that have points.
    pub letter: Letter,
    /// The points that count; not positive for a penalty.
    pub points: Points,
    /// The instructor.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// The reason.
    pub reason: String,
}

/// A similarity that an instructor confirmed as copying.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmedCopy {
    /// The part that was copied.
    pub part: SolutionPart,
    /// The instructor.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// The reason.
    pub reason: String,
}
