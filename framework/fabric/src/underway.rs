//! How many accesses of a window are under way: counted for each pair of ranks, until they are answered.
use wb_comm::Rank;

/// See the module. Where there is no time, all are zero for ever.
#[derive(Debug)]
pub(crate) struct Underway {
    size: usize,
    /// `[origin * size + target]`.
    pairs: Vec<u32>,
    /// By origin: to all targets.
    sums: Vec<u32>,
}

impl Underway {
    /// Among `size` ranks: none.
    pub(crate) fn of(size: usize) -> Self {
        Self { size, pairs: vec![0; size * size], sums: vec![0; size] }
    }

    /// One leaves its origin.
    pub(crate) fn leave(&mut self, origin: Rank, target: Rank) {
        self.pairs[origin * self.size + target] += 1;
        self.sums[origin] += 1;
    }

    /// The answer of one is at its origin.
    pub(crate) fn answer(&mut self, origin: Rank, target: Rank) {
        self.pairs[origin * self.size + target] -= 1;
        self.sums[origin] -= 1;
    }

    /// Is none of `origin` to this target under way? `None`: to any.
    pub(crate) fn is_over(&self, origin: Rank, target: Option<Rank>) -> bool {
        let left = target.map_or(self.sums[origin], |target| self.pairs[origin * self.size + target]);
        left == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_against_their_pair() {
        let mut underway = Underway::of(3);
        underway.leave(0, 1);
        underway.leave(0, 2);
        underway.leave(0, 2);
        let over = |underway: &Underway| [Some(0), Some(1), Some(2), None].map(|to| underway.is_over(0, to));
        underway.answer(0, 2);
        assert_eq!(over(&underway), [true, false, false, false]);
        underway.answer(0, 2);
        assert_eq!(over(&underway), [true, false, true, false]);
        underway.answer(0, 1);
        assert_eq!(over(&underway), [true; 4]);
        assert!(underway.is_over(1, None), "nobody else's");
    }
}
