//! Operations in which one buffer has what a rank contributes and gets what it receives (`MPI_IN_PLACE`).
use std::ops::Range;

use crate::{CollectiveKind, Rank};

/// The elements of the buffer of one rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InPlaceParts {
    /// The elements that the rank contributes.
    pub contribution: Range<usize>,
    /// The elements of its result.
    pub result: Range<usize>,
}

impl CollectiveKind<'_> {
    /// The parts of a buffer of `count` elements on `rank` of `size`; `None` for an operation that has no form in place. A rank that gets no
    /// result has its contribution in the buffer, one that contributes nothing gets its result there. Where the buffer has the blocks of all
    /// ranks, the own block is at its place among them; the result of a reduction that is scattered is at the start.
    pub fn in_place_parts(&self, rank: Rank, size: usize, count: usize) -> Option<InPlaceParts> {
        let (whole, nothing) = (0..count, 0..0);
        let each = count / size;
        let own = rank * each..(rank + 1) * each;
        let is_root = self.root() == Some(rank);
        let (contribution, result) = match *self {
            Self::Allreduce { .. } | Self::Scan { .. } | Self::Exscan { .. } | Self::Alltoall => {
                (whole.clone(), whole)
            }
            Self::Reduce { .. } if is_root => (whole.clone(), whole),
            Self::Gather { .. } if is_root => (own, whole),
            Self::Reduce { .. } | Self::Gather { .. } => (whole, nothing),
            Self::Allgather => (own, whole),
            Self::Scatter { .. } if is_root => (whole, own),
            Self::Scatter { .. } => (nothing, whole),
            Self::ReduceScatter { counts, .. } => {
                let block = counts.get(rank).copied().unwrap_or(0);
                (whole, 0..block.min(count))
            }
            Self::ReduceScatterBlock { .. } => (whole, 0..each),
            _ => return None,
        };
        Some(InPlaceParts { contribution, result })
    }
}
