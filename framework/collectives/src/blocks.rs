//! Blocks of a buffer in rank order: where each one starts and how long it is.
use wb_comm::{Part, Rank};

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

    /// Elements before `rank`'s block; the number of ranks gives the elements of all blocks.
    pub fn start(&self, rank: Rank) -> usize {
        match self {
            Self::Equal(count) => rank * count,
            Self::Ragged(counts) => counts[..rank].iter().sum(),
        }
    }

    /// `rank`'s block of `whole`.
    pub fn part(&self, whole: Part, rank: Rank) -> Part {
        whole.part(self.start(rank), self.count(rank))
    }

    /// `rank`'s block of the send buffer of `size` ranks.
    pub fn of_send(&self, rank: Rank, size: usize) -> Part {
        self.part(Part::send(self.start(size)), rank)
    }

    /// `rank`'s block of the receive buffer of `size` ranks.
    pub fn of_recv(&self, rank: Rank, size: usize) -> Part {
        self.part(Part::recv(self.start(size)), rank)
    }
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
        assert_eq!(ragged.of_send(2, 3), Part::send(5).part(2, 3));
        assert_eq!(BlockLayout::Equal(4).of_recv(1, 3), Part::recv(12).part(4, 4));
    }
}
