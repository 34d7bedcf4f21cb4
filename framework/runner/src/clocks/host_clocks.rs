//! Which ranks read one clock, and which rank of each clock measures for the others.
use std::collections::BTreeSet;

use wb_comm::Rank;

use crate::clocks::ClockPair;

/// The clocks of a job, numbered from 0 in the order of their lowest ranks. Clock 0, that of rank 0, is the reference.
///
/// One rank of each clock measures, since all ranks of a clock would find the same and would disturb each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostClocks {
    clock_of: Vec<usize>,
    first_ranks: Vec<Rank>,
    pairs: Vec<ClockPair>,
}

impl HostClocks {
    /// From the identity of each rank's clock, by rank: ranks with equal identities read one clock.
    ///
    /// # Panics
    /// Without ranks.
    pub fn from_identities<I: PartialEq>(identities: &[I]) -> Self {
        assert!(!identities.is_empty(), "a job has ranks");
        let (mut clock_of, mut first_ranks): (Vec<usize>, Vec<Rank>) = (vec![], vec![]);
        for (rank, identity) in identities.iter().enumerate() {
            let known = first_ranks.iter().position(|&first| identities[first] == *identity);
            clock_of.push(known.unwrap_or_else(|| {
                first_ranks.push(rank);
                first_ranks.len() - 1
            }));
        }
        let pairs = ClockPair::for_clocks(first_ranks.len());
        Self { clock_of, first_ranks, pairs }
    }

    /// The number of clocks.
    pub fn count(&self) -> usize {
        self.first_ranks.len()
    }

    /// The clock that a rank reads.
    pub fn clock_of(&self, rank: Rank) -> usize {
        self.clock_of[rank]
    }

    /// The rank that measures for a clock.
    pub fn first_rank(&self, clock: usize) -> Rank {
        self.first_ranks[clock]
    }

    /// The pairs of clocks that are compared, in the order in which they are.
    pub fn pairs(&self) -> &[ClockPair] {
        &self.pairs
    }

    /// The ranks that read a clock.
    pub fn ranks_of(&self, clock: usize) -> BTreeSet<Rank> {
        let ranks = self.clock_of.iter().enumerate();
        ranks.filter(|&(_, &of)| of == clock).map(|(rank, _)| rank).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_with_one_identity_share_a_clock_and_the_lowest_measures() {
        let clocks = HostClocks::from_identities(&["b", "a", "b", "c", "a"]);
        assert_eq!(clocks.count(), 3);
        assert_eq!([0, 1, 2, 3, 4].map(|rank| clocks.clock_of(rank)), [0, 1, 0, 2, 1]);
        assert_eq!([0, 1, 2].map(|clock| clocks.first_rank(clock)), [0, 1, 3]);
        assert_eq!(clocks.ranks_of(1), BTreeSet::from([1, 4]));
    }

    #[test]
    fn one_host_has_no_pairs() {
        let clocks = HostClocks::from_identities(&["a"; 4]);
        assert_eq!((clocks.count(), clocks.pairs()), (1, &[][..]));
    }
}
