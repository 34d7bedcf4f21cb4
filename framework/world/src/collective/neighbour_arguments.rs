//! The lengths of neighbourhood collectives: one block for each neighbour.
use wb_comm::{CollectiveCounts, CollectiveKind, Neighbours, Rank, Result};

use super::CollectiveArguments;

impl CollectiveArguments<'_> {
    /// Checks the lengths of a neighbourhood collective; what this rank exchanges with each rank.
    pub(super) fn counts_of_neighbours(&self, neighbours: &Neighbours) -> Result<CollectiveCounts> {
        use CollectiveKind::{NeighborAllgatherv, NeighborAlltoall, NeighborAlltoallv};
        let Neighbours { sources, destinations, .. } = neighbours;
        let (send, recv) = (self.send.unwrap_or(0), self.recv.unwrap_or(0));
        let equal = |count: usize, ranks: &[Rank]| vec![count; ranks.len()];
        let (sent, received) = match self.kind {
            NeighborAllgatherv { counts, .. } => (equal(send, destinations), counts.to_vec()),
            NeighborAlltoall { .. } => {
                let each = send.checked_div(destinations.len()).or(recv.checked_div(sources.len()));
                let each = each.unwrap_or(0);
                (equal(each, destinations), equal(each, sources))
            }
            NeighborAlltoallv { send_counts, recv_counts, .. } => {
                (send_counts.to_vec(), recv_counts.to_vec())
            }
            _ => (equal(send, destinations), equal(send, sources)),
        };
        let is_gathered = !matches!(self.kind, NeighborAlltoall { .. } | NeighborAlltoallv { .. });
        if !is_gathered {
            self.parts("send", send, &sent, destinations)?;
        }
        self.parts("recv", recv, &received, sources)?;
        Ok(CollectiveCounts::Exchange(self.by_rank(&sent, destinations), self.by_rank(&received, sources)))
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
