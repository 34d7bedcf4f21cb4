//! Each rank's share of the computing, from the traced run.
//!
//! Computing is the processor time outside of all calls. A rank that waits, also busily, waits inside of one, so an MPI
//! library that polls does not count; a rank whose processor another program has takes no processor time. Traces of older
//! programs have no processor time: there the wall time outside of all calls serves.

use wb_record::{RankTrace, Trace};

use super::Bottleneck;

/// The least share of one rank at which it does the work alone: the others could make it faster by a tenth at most.
const SINGLE_RANK_SHARE: f64 = 0.9;

/// In a run that computes for a smaller share of its time the distribution of computing is irrelevant.
const MIN_COMPUTING_SHARE: f64 = 0.1;

/// Each rank's share of the computing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ComputingShares {
    /// The share of each rank; they add up to one.
    pub(crate) by_rank: Vec<f64>,
    /// Whether the busiest rank computes for a good part of the time that it needs.
    is_computing: bool,
}

impl ComputingShares {
    /// The shares of a traced run on two ranks or more; `None` if the trace does not contain them.
    pub(super) fn from_bottleneck(bottleneck: &Bottleneck<'_>) -> Option<Self> {
        match bottleneck {
            Bottleneck::Traced(trace, _) if trace.simulated.is_none() && trace.ranks.len() > 1 => {
                Self::from_trace(trace)
            }
            _ => None,
        }
    }

    fn from_trace(trace: &Trace) -> Option<Self> {
        let ranks: Vec<RankComputing> =
            trace.ranks.iter().map(RankComputing::from_trace).collect::<Option<_>>()?;
        let whole: u128 = ranks.iter().map(|rank| u128::from(rank.computed_ns)).sum();
        if whole == 0 {
            return None;
        }
        let busiest = ranks.iter().max_by_key(|rank| rank.computed_ns)?;
        Some(Self {
            by_rank: ranks.iter().map(|rank| rank.computed_ns as f64 / whole as f64).collect(),
            is_computing: busiest.computed_ns as f64 >= MIN_COMPUTING_SHARE * busiest.needed_ns(),
        })
    }

    /// The rank that does the work, and its share, if one does.
    pub(crate) fn single_worker(&self) -> Option<(usize, f64)> {
        let shares = self.by_rank.iter().copied().enumerate();
        let busiest = shares.max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(busiest).filter(|(_, share)| self.is_computing && *share >= SINGLE_RANK_SHARE)
    }
}

/// One rank's time inside and outside of calls.
struct RankComputing {
    computed_ns: u64,
    in_calls_ns: u64,
}

impl RankComputing {
    /// `None` if calls are missing and their time was not recorded.
    fn from_trace(trace: &RankTrace) -> Option<Self> {
        if trace.left_out > 0 && trace.left_out_ns == 0 {
            return None;
        }
        let in_call = |event: &wb_record::TraceEvent| event.end_ns.saturating_sub(event.begin_ns);
        let in_calls_ns = trace.events.iter().map(in_call).fold(trace.left_out_ns, u64::saturating_add);
        let outside_ns = trace.end_ns.saturating_sub(trace.begin_ns).saturating_sub(in_calls_ns);
        Some(Self { computed_ns: trace.computed_ns.unwrap_or(outside_ns), in_calls_ns })
    }

    /// The time that the rank would need on a processor of its own.
    fn needed_ns(&self) -> f64 {
        self.computed_ns as f64 + self.in_calls_ns as f64
    }
}

#[cfg(test)]
mod tests {
    use wb_record::example_trace;

    use super::*;
    use crate::analysis::bottleneck::TimedReference;

    fn shares(trace: &Trace) -> Option<ComputingShares> {
        ComputingShares::from_bottleneck(&Bottleneck::Traced(trace, TimedReference::default()))
    }

    /// The trace with every rank but 0 in a call all the time.
    fn disguised() -> Trace {
        let mut trace = example_trace();
        for rank in &mut trace.ranks[1..] {
            rank.events.truncate(1);
            (rank.events[0].begin_ns, rank.events[0].end_ns) = (rank.begin_ns + 1_000, rank.end_ns);
        }
        trace
    }

    #[test]
    fn computing_is_what_is_outside_of_calls() {
        let shares = shares(&example_trace()).expect("three ranks");
        // 10 ms, 9.5 ms and 6.5 ms.
        let expected = [10.0, 9.5, 6.5].map(|ms| ms / 26.0);
        assert!(shares.by_rank.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{shares:?}");
        assert_eq!(shares.single_worker(), None);
    }

    #[test]
    fn one_rank_that_computes_while_the_others_wait_is_named() {
        let (rank, share) = shares(&disguised()).and_then(|shares| shares.single_worker()).expect("rank 0");
        assert!(rank == 0 && share > 0.999, "{share}");
        let mut alone = disguised();
        alone.ranks.truncate(1);
        assert_eq!(shares(&alone), None, "without others");
    }

    #[test]
    fn an_uneven_split_is_no_accusation() {
        let mut trace = disguised();
        // Rank 1 computes for 1.6 ms of 10: 14 % of all computing.
        trace.ranks[1].events[0].begin_ns += 1_600_000;
        assert_eq!(shares(&trace).expect("three ranks").single_worker(), None);
    }

    #[test]
    fn a_run_that_hardly_computes_accuses_nobody() {
        let mut trace = disguised();
        trace.ranks.iter_mut().for_each(|rank| rank.end_ns += 100_000_000);
        trace.ranks.iter_mut().for_each(|rank| rank.events.last_mut().expect("calls").end_ns += 100_000_000);
        assert_eq!(shares(&trace).expect("three ranks").single_worker(), None);
    }

    #[test]
    fn a_rank_without_a_processor_does_not_compute() {
        let mut trace = example_trace();
        for (rank, ms) in trace.ranks.iter_mut().zip([8, 1, 0]) {
            rank.computed_ns = Some(ms * 1_000_000);
        }
        assert_eq!(shares(&trace).expect("three ranks").single_worker(), None);
        trace.ranks[1].computed_ns = Some(500_000);
        let (rank, share) = shares(&trace).and_then(|shares| shares.single_worker()).expect("rank 0");
        assert!(rank == 0 && (share - 8.0 / 8.5).abs() < 1e-9, "{share}");
        // Long after its work another program has the processor: the share is what it was.
        trace.ranks[0].end_ns += 1_000_000_000;
        assert!(shares(&trace).and_then(|shares| shares.single_worker()).is_some());
    }

    #[test]
    fn calls_that_are_left_out_count_by_their_time_and_not_at_all_without() {
        let whole = shares(&example_trace());
        assert_eq!(shares(&example_trace().truncated(1)), whole);
        let mut unknown = example_trace().truncated(1);
        unknown.ranks[0].left_out_ns = 0;
        assert_eq!(shares(&unknown), None);
    }
}
