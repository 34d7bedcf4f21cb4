//! The letters of a grade.

use serde::{Deserialize, Serialize};

/// One column of a grade. `Solution`, `Performance` and `Report` earn points, `Deadline` and `Copying` cost them,
/// `Acceleration` and `Efficiency` show the numbers from which the points of `Performance` follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Letter {
    /// S: the sequential and the parallel version are right.
    #[serde(rename = "S")]
    Solution,
    /// P: points for the efficiency.
    #[serde(rename = "P")]
    Performance,
    /// A: the speed-up.
    #[serde(rename = "A")]
    Acceleration,
    /// E: the efficiency, in per cent.
    #[serde(rename = "E")]
    Efficiency,
    /// D: the penalty for days after the deadline.
    #[serde(rename = "D")]
    Deadline,
    /// C: the penalty for copying that an instructor has confirmed.
    #[serde(rename = "C")]
    Copying,
    /// R: the report.
    #[serde(rename = "R")]
    Report,
}

impl Letter {
    /// All letters, in the order of columns.
    pub const ALL: [Self; 7] = [
        Self::Solution,
        Self::Performance,
        Self::Acceleration,
        Self::Efficiency,
        Self::Deadline,
        Self::Copying,
        Self::Report,
    ];

    /// The letter itself.
    pub const fn character(self) -> char {
        match self {
            Self::Solution => 'S',
            Self::Performance => 'P',
            Self::Acceleration => 'A',
            Self::Efficiency => 'E',
            Self::Deadline => 'D',
            Self::Copying => 'C',
            Self::Report => 'R',
        }
    }
}
