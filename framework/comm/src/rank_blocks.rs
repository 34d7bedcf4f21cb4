//! The blocks of a buffer, one for each rank, in the verbs whose blocks have different lengths.
use crate::{Error, LayoutError, Rank, Result};

/// The blocks of a buffer, one for each rank: their lengths, and where they start. All numbers count elements.
///
/// ```
/// use wb_comm::RankBlocks;
/// // Rank 0 has elements 5..7, rank 1 has elements 0..3; elements 3 and 4 belong to no rank.
/// let blocks = RankBlocks::new(&[2, 3], &[5, 0]);
/// assert_eq!((blocks.block(0), blocks.block(1), blocks.end()), (5..7, 0..3, 7));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankBlocks<'a> {
    counts: &'a [usize],
    /// The starts of the blocks; `None`: each block starts where the one before it ends.
    displacements: Option<&'a [usize]>,
}

impl<'a> RankBlocks<'a> {
    /// Blocks of these lengths that start at these elements: MPI's arguments `counts` and `displs`.
    pub const fn new(counts: &'a [usize], displacements: &'a [usize]) -> Self {
        Self { counts, displacements: Some(displacements) }
    }

    /// Blocks of these lengths, one after the other.
    pub const fn contiguous(counts: &'a [usize]) -> Self {
        Self { counts, displacements: None }
    }

    /// The lengths.
    pub fn counts(self) -> &'a [usize] {
        self.counts
    }

    /// The starts, if they were passed.
    pub fn displacements(self) -> Option<&'a [usize]> {
        self.displacements
    }

    /// The elements of a rank's block. One without elements starts at 0, wherever its displacement is.
    pub fn block(self, rank: Rank) -> std::ops::Range<usize> {
        let count = self.counts[rank];
        let start = match self.displacements {
            _ if count == 0 => 0,
            Some(displacements) => displacements[rank],
            None => self.counts[..rank].iter().sum(),
        };
        start..start.saturating_add(count)
    }

    /// The length that the buffer needs at least; the largest `usize` if that is too small.
    pub fn end(self) -> usize {
        match self.displacements {
            Some(starts) => {
                let filled = self.counts.iter().zip(starts).filter(|(count, _)| **count > 0);
                filled.map(|(count, start)| start.saturating_add(*count)).max().unwrap_or(0)
            }
            None => self.counts.iter().fold(0, |sum, count| sum.saturating_add(*count)),
        }
    }

    /// Checks that there is one block for each of `ranks`, and that a buffer of `length` elements contains all of them. Blocks without
    /// displacements fill the buffer.
    ///
    /// # Errors
    /// [`Error::Count`] and [`Error::Layout`] if not.
    pub fn check(
        self,
        (verb, buffer): (&'static str, &'static str),
        length: usize,
        ranks: usize,
    ) -> Result<()> {
        let count = |buffer, got, expected| match got == expected {
            true => Ok(()),
            false => Err(Error::Count { verb, buffer, got, expected }),
        };
        count("counts", self.counts.len(), ranks)?;
        let Some(displacements) = self.displacements else { return count(buffer, length, self.end()) };
        count("displacements", displacements.len(), ranks)?;
        let outside = (0..ranks).map(|rank| (rank, self.block(rank))).find(|(_, block)| block.end > length);
        match outside {
            Some((rank, block)) => {
                Err(LayoutError::BlockOutside { buffer, rank, block, length }.into_error())
            }
            None => Ok(()),
        }
    }

    /// Checks that no element is in two blocks, since a receive may fill each element once.
    ///
    /// # Errors
    /// [`Error::Layout`] if one is.
    pub fn check_disjoint(self) -> Result<()> {
        if self.displacements.is_none() {
            return Ok(());
        }
        let mut blocks: Vec<_> = (0..self.counts.len()).map(|rank| (self.block(rank), rank)).collect();
        blocks.retain(|(block, _)| !block.is_empty());
        blocks.sort_unstable_by_key(|(block, rank)| (block.start, *rank));
        match blocks.windows(2).find(|pair| pair[1].0.start < pair[0].0.end) {
            Some([(first, one), (second, other)]) => Err(LayoutError::BlocksOverlap {
                ranks: [*one, *other],
                shared: second.start..first.end.min(second.end),
            }
            .into_error()),
            _ => Ok(()),
        }
    }
}

impl<'a> From<&'a [usize]> for RankBlocks<'a> {
    fn from(counts: &'a [usize]) -> Self {
        Self::contiguous(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(checked: Result<()>) -> String {
        checked.expect_err("refused").to_string()
    }

    #[test]
    fn blocks_without_displacements_fill_the_buffer() {
        let blocks = RankBlocks::contiguous(&[2, 0, 3]);
        assert_eq!([0, 1, 2].map(|rank| blocks.block(rank)), [0..2, 0..0, 2..5]);
        assert_eq!(blocks.check(("gatherv", "recv"), 5, 3), Ok(()));
        assert!(
            blocks.check(("gatherv", "recv"), 6, 3).is_err()
                && blocks.check(("gatherv", "recv"), 5, 2).is_err()
        );
        assert_eq!(RankBlocks::contiguous(&[usize::MAX, 2]).end(), usize::MAX);
    }

    #[test]
    fn a_block_outside_of_the_buffer_is_named() {
        let blocks = RankBlocks::new(&[2, 0, 3], &[4, 99, 0]);
        assert_eq!((blocks.check(("gatherv", "recv"), 6, 3), blocks.end()), (Ok(()), 6));
        let text = refused(blocks.check(("gatherv", "recv"), 5, 3));
        assert_eq!(text, "recv: the block of rank 0 has elements 4..6, but the buffer has 5 element(s)");
        assert!(
            refused(RankBlocks::new(&[1, 2], &[0]).check(("gatherv", "recv"), 9, 2))
                .contains("displacements")
        );
        assert!(RankBlocks::new(&[2], &[usize::MAX]).check(("gatherv", "recv"), 9, 1).is_err());
    }

    #[test]
    fn blocks_that_share_elements_are_named() {
        let blocks = RankBlocks::new(&[3, 0, 4, 1], &[5, 6, 2, 0]);
        let text = refused(blocks.check_disjoint());
        assert_eq!(
            text,
            "the blocks of ranks 2 and 0 share elements 5..6: a receive may fill each element once"
        );
        assert_eq!(RankBlocks::new(&[3, 0, 3, 1], &[5, 6, 2, 0]).check_disjoint(), Ok(()));
        assert!(RankBlocks::new(&[2, 2], &[1, 1]).check_disjoint().is_err());
    }
}
