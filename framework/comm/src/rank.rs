//! Who: the rank of a process in its communicator, and whom a receive listens to.
use std::fmt;

/// A process's number in a communicator, `0..size`.
pub type Rank = usize;

/// Whom a receive or a probe listens to; a plain rank converts into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// This rank only.
    Rank(Rank),
    /// Whoever comes first (`MPI_ANY_SOURCE`).
    Any,
}

impl Source {
    /// Does a message from `rank` answer?
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
