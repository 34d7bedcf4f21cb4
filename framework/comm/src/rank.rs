//! The rank of a process in its communicator, and the source of a receive.
use std::fmt;

use serde::{Deserialize, Serialize};

/// A process's number in a communicator, `0..size`.
pub type Rank = usize;

/// The source argument of a receive or a probe; a rank converts into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Source {
    /// This rank only.
    Rank(Rank),
    /// Any rank (`MPI_ANY_SOURCE`).
    Any,
}

impl Source {
    /// Whether a message from `rank` matches.
    pub fn matches(self, rank: Rank) -> bool {
        match self {
            Self::Rank(wanted) => wanted == rank,
            Self::Any => true,
        }
    }
}

impl From<Rank> for Source {
    fn from(rank: Rank) -> Self {
        Self::Rank(rank)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rank(rank) => write!(f, "{rank}"),
            Self::Any => f.write_str("any"),
        }
    }
}
