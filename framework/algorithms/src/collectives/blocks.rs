//! Blocks of a buffer in rank order: where each one starts and how long it is.
use wb_comm::{Buffer, Part, Rank, RankBlocks};

/// The partition of a buffer into one block a rank.
#[derive(Clone, Copy, Debug)]
pub enum BlockLayout<'a> {
    /// All of one length, contiguous in rank order.
    Equal(usize),
    /// Each its own length.
    Ragged(RankBlocks<'a>),
}

impl BlockLayout<'_> {
    /// Elements in `rank`'s block.
    pub fn count(&self, rank: Rank) -> usize {
        match self {
            Self::Equal(count) => *count,
            Self::Ragged(blocks) => blocks.counts()[rank],
        }
    }

    /// `rank`'s block of a buffer.
    fn part(&self, buffer: Buffer, rank: Rank) -> Part {
        let (start, count) = match self {
            Self::Equal(count) => (rank * count, *count),
            Self::Ragged(blocks) => (blocks.block(rank).start, blocks.counts()[rank]),
        };
        Part { buffer, start, count }
    }

    /// `rank`'s block of the send buffer.
    pub fn of_send(&self, rank: Rank) -> Part {
        self.part(Buffer::Send, rank)
    }

    /// `rank`'s block of the receive buffer.
    pub fn of_recv(&self, rank: Rank) -> Part {
        self.part(Buffer::Recv, rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_lie_one_after_the_other_or_where_their_displacements_are() {
        let part = |buffer, start, count| Part { buffer, start, count };
        let ragged = BlockLayout::Ragged(RankBlocks::contiguous(&[2, 0, 3]));
        assert_eq!(ragged.of_send(2), part(Buffer::Send, 2, 3));
        assert_eq!((ragged.count(1), ragged.count(2)), (0, 3));
        assert_eq!(BlockLayout::Equal(4).of_recv(3), part(Buffer::Recv, 12, 4));
        let displaced = BlockLayout::Ragged(RankBlocks::new(&[2, 3], &[5, 1]));
        assert_eq!([0, 1].map(|rank| displaced.of_recv(rank).start), [5, 1]);
    }
}
