//! How much of the started collective operations was hidden behind other work.
use crate::RankTrace;

/// The started collective operations of all ranks, in the pass as it is written and in one without overlap. There each operation is complete
/// when the call that starts it returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Nanoseconds in calls that start or complete these operations, summed over the ranks.
    pub collectives_ns: u64,
    /// The time in collective operations without overlap.
    pub blocking_collectives_ns: u64,
    /// Nanoseconds of the pass without overlap, on the rank where it took longest.
    pub blocking_elapsed_ns: u64,
}

impl Overlap {
    /// Of these ranks; `None` where no operation was started to be waited for later.
    pub fn of(ranks: &[RankTrace]) -> Option<Self> {
        let blocking = || ranks.iter().filter_map(|rank| rank.without_overlap);
        Some(Self {
            blocking_elapsed_ns: blocking().map(|pass| pass.elapsed_ns).max()?,
            blocking_collectives_ns: blocking().map(|pass| pass.collectives_ns).sum(),
            collectives_ns: ranks.iter().map(RankTrace::started_collectives_ns).sum(),
        })
    }

    /// The share of their time that other work hides, 0 to 1: no rank spends it in calls.
    pub fn hidden(self) -> f64 {
        let visible = self.collectives_ns as f64 / self.blocking_collectives_ns.max(1) as f64;
        (1.0 - visible).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CollectiveShape, EventKind, TraceEvent, WithoutOverlap};

    /// A rank that starts an operation at 10 ns for 5 ns, and completes it at 100 ns for this time.
    fn rank(wait_ns: u64, without_overlap: Option<WithoutOverlap>) -> RankTrace {
        let start =
            EventKind::StartCollective { sequence: 0, shape: CollectiveShape::All, bytes: 8, request: 0 };
        let event =
            |begin_ns, ns, act| TraceEvent { call: 0, communicator: 0, begin_ns, end_ns: begin_ns + ns, act };
        let finish = EventKind::FinishCollective { request: 0 };
        let events = vec![event(10, 5, start), event(100, wait_ns, finish)];
        RankTrace { events, without_overlap, ..RankTrace::default() }
    }

    fn blocking(elapsed_ns: u64, collectives_ns: u64) -> Option<WithoutOverlap> {
        Some(WithoutOverlap { elapsed_ns, collectives_ns })
    }

    #[test]
    fn what_no_rank_waits_for_is_hidden() {
        let ranks = [rank(5, blocking(200, 40)), rank(15, blocking(220, 80))];
        let overlap = Overlap::of(&ranks).expect("operations were started");
        let expected = Overlap { collectives_ns: 30, blocking_collectives_ns: 120, blocking_elapsed_ns: 220 };
        assert_eq!(overlap, expected);
        assert_eq!(overlap.hidden(), 0.75);
    }

    #[test]
    fn operations_that_take_longer_than_without_overlap_hide_nothing() {
        assert_eq!(Overlap::of(&[rank(90, blocking(9, 20))]).map(Overlap::hidden), Some(0.0));
        assert_eq!(Overlap::of(&[rank(90, None)]), None);
    }
}
