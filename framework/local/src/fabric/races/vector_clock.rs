//! A vector clock (Fidge 1988, Mattern 1989): what a rank knows of all ranks' pasts.

use wb_comm::Rank;

/// For each rank, the number of its steps that happen before this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VectorClock(Box<[u64]>);

impl VectorClock {
    /// The clock of `size` ranks, of which nothing is known.
    pub(crate) fn new(size: usize) -> Self {
        Self(vec![0; size].into())
    }

    /// The maximum with another clock, for each rank.
    pub(crate) fn join(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
    }

    /// The number of steps of `rank` that it knows of.
    pub(crate) fn at(&self, rank: Rank) -> u64 {
        self.0[rank]
    }

    /// Advances `rank` by a step.
    pub(crate) fn tick(&mut self, rank: Rank) {
        self.0[rank] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_joins_knows_what_both_have_known() {
        let [mut one, mut other] = [VectorClock::new(3), VectorClock::new(3)];
        one.tick(0);
        one.tick(0);
        other.tick(2);
        other.join(&one);
        assert_eq!([0, 1, 2].map(|rank| other.at(rank)), [2, 0, 1]);
        assert_eq!(one.at(2), 0, "nobody has told it");
    }
}
