//! Blocks of a buffer in rank order: where each one starts and how long it is.
use wb_comm::{Rank, View, ViewMut};

/// The partition of a buffer into one block a rank.
#[derive(Clone, Copy, Debug)]
pub enum BlockLayout<'a> {
    /// All of one length.
    Equal(usize),
    /// Each its own length, contiguous in rank order.
    Ragged(&'a [usize]),
}

impl BlockLayout<'_> {
    /// Elements in `rank`'s block.
    pub fn count(&self, rank: Rank) -> usize {
        match self {
            Self::Equal(count) => *count,
            Self::Ragged(counts) => counts[rank],
        }
    }

    /// Elements before `rank`'s block.
    pub fn start(&self, rank: Rank) -> usize {
        match self {
            Self::Equal(count) => rank * count,
            Self::Ragged(counts) => counts[..rank].iter().sum(),
        }
    }

    /// `rank`'s block of `whole`.
    pub fn view<'v>(&self, whole: View<'v>, rank: Rank) -> View<'v> {
        whole.part(self.start(rank), self.count(rank))
    }

    /// `rank`'s block of `whole`, to be written.
    pub fn view_mut<'v>(&self, whole: ViewMut<'v>, rank: Rank) -> ViewMut<'v> {
        whole.part(self.start(rank), self.count(rank))
    }
}

/// Copies all of `from`.
///
/// # Panics
/// When the lengths differ: the caller has checked them.
pub(crate) fn copy(from: View<'_>, mut into: ViewMut<'_>) {
    into.bytes().copy_from_slice(from.bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_lie_one_after_the_other() {
        let lengths = [2, 0, 3];
        let ragged = BlockLayout::Ragged(&lengths);
        assert_eq!([0, 1, 2].map(|rank| (ragged.start(rank), ragged.count(rank))), [(0, 2), (2, 0), (2, 3)]);
        assert_eq!((BlockLayout::Equal(4).start(3), BlockLayout::Equal(4).count(3)), (12, 4));
        let data = [1, 2, 3, 4, 5];
        assert_eq!(ragged.view(View::from_slice(&data), 2).slice::<i32>(), Some(&data[2..]));
    }
}
