//! The number of accesses of a window in flight: counted for each pair of ranks, until they are answered.
use wb_comm::Rank;

/// The accesses in flight of one window. Without time, all counts are always zero.
#[derive(Debug)]
pub(crate) struct PendingAccesses {
    size: usize,
    /// `[origin * size + target]`.
    pairs: Vec<u32>,
    /// The number of each origin's accesses to all targets.
    totals: Vec<u32>,
}

impl PendingAccesses {
    /// Among `size` ranks: none in flight.
    pub(crate) fn new(size: usize) -> Self {
        Self { size, pairs: vec![0; size * size], totals: vec![0; size] }
    }

    /// An access leaves its origin.
    pub(crate) fn add(&mut self, origin: Rank, target: Rank) {
        self.pairs[origin * self.size + target] += 1;
        self.totals[origin] += 1;
    }

    /// The reply to an access is at its origin.
    pub(crate) fn remove(&mut self, origin: Rank, target: Rank) {
        self.pairs[origin * self.size + target] -= 1;
        self.totals[origin] -= 1;
    }

    /// Whether no access of `origin` to this target (`None`: to any) is in flight.
    pub(crate) fn is_complete(&self, origin: Rank, target: Option<Rank>) -> bool {
        let left = target.map_or(self.totals[origin], |target| self.pairs[origin * self.size + target]);
        left == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_against_their_pair() {
        let mut pending = PendingAccesses::new(3);
        pending.add(0, 1);
        pending.add(0, 2);
        pending.add(0, 2);
        let complete = |pending: &PendingAccesses| {
            [Some(0), Some(1), Some(2), None].map(|to| pending.is_complete(0, to))
        };
        pending.remove(0, 2);
        assert_eq!(complete(&pending), [true, false, false, false]);
        pending.remove(0, 2);
        assert_eq!(complete(&pending), [true, false, true, false]);
        pending.remove(0, 1);
        assert_eq!(complete(&pending), [true; 4]);
        assert!(pending.is_complete(1, None), "nobody else's");
    }
}
