//! The lengths of neighbourhood collectives: one block for each neighbour.
use wb_comm::{CollectiveCounts, CollectiveKind, Neighbours, Rank, Result};

use super::CollectiveArguments;

impl CollectiveArguments<'_> {
    /// Checks the lengths of a neighbourhood collective; what this rank exchanges with each rank.
    pub(super) fn counts_of_neighbours(&self, neighbours: &Neighbours) -> Result<CollectiveCounts> {
        use CollectiveKind::{NeighborAllgatherv, NeighborAlltoall, NeighborAlltoallv};
        let Neighbours { sources, destinations, .. } = neighbours;
        let (send, recv) = (self.send.unwrap_or(0), self.recv.unwrap_or(0));
        let (each, sent, received) = match self.kind {
            NeighborAllgatherv { counts, .. } => {
                self.parts("recv", recv, counts, sources)?;
                (send, None, Some(counts))
            }
            NeighborAlltoall { .. } => {
                let exact = |got: usize, ranks: &[Rank]| {
                    got.checked_div(ranks.len()).filter(|each| each * ranks.len() == got)
                };
                let each = exact(send, destinations).or_else(|| exact(recv, sources));
                let each = each.unwrap_or_else(|| send.div_ceil(destinations.len().max(1)));
                self.equal_blocks_of("send", send, each, destinations.len())?;
                self.equal_blocks_of("recv", recv, each, sources.len())?;
                (each, None, None)
            }
            NeighborAlltoallv { send_counts, recv_counts, .. } => {
                self.parts("send", send, send_counts, destinations)?;
                self.parts("recv", recv, recv_counts, sources)?;
                (0, Some(send_counts), Some(recv_counts))
            }
            _ => {
                self.equal_blocks_of("recv", recv, send, sources.len())?;
                (send, None, None)
            }
        };
        let by_rank = |counts: Option<&[usize]>, ranks: &[Rank]| match counts {
            Some(counts) => self.by_rank(counts, ranks),
            None => self.by_rank(&vec![each; ranks.len()], ranks),
        };
        Ok(self.exchange(|| (by_rank(sent, destinations), by_rank(received, sources))))
    }

    /// Checks that a buffer consists of one block for every neighbour, of these lengths.
    fn parts(&self, buffer: &'static str, got: usize, counts: &[usize], ranks: &[Rank]) -> Result<()> {
        self.count("counts", counts.len(), ranks.len())?;
        self.count(buffer, got, counts.iter().fold(0, |sum: usize, count| sum.saturating_add(*count)))
    }

    /// The number of elements for each rank of the communicator.
    fn by_rank(&self, counts: &[usize], ranks: &[Rank]) -> Vec<usize> {
        let mut by_rank = vec![0; self.size];
        for (count, rank) in counts.iter().zip(ranks) {
            // The null process is not one of them.
            by_rank.get_mut(*rank).into_iter().for_each(|sum| *sum += count);
        }
        by_rank
    }
}
