//! The rank of a process in its communicator, and the source of a receive.
use std::fmt;

use serde::{Deserialize, Serialize};

/// A process's number in a communicator, `0..size`.
pub type Rank = usize;

/// The peer of a message that is not transmitted (`MPI_PROC_NULL`): a send to it and a receive from it return immediately.
///
/// It is not the largest number: a subtraction that wraps below 0, as `rank - 1` on rank 0, must not give it.
pub const PROC_NULL: Rank = Rank::MAX / 2;

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
            Self::Rank(PROC_NULL) => f.write_str("PROC_NULL"),
            Self::Rank(rank) => rank.cast_signed().fmt(f),
            Self::Any => f.write_str("any"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_null_process_is_no_result_of_a_wrapped_subtraction() {
        let first: Rank = 0;
        assert!((1..=1_000_000).all(|distance| first.wrapping_sub(distance) != PROC_NULL));
        assert_eq!(Source::Rank(PROC_NULL).to_string(), "PROC_NULL");
    }
}
