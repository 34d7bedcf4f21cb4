//! The part of a trace that is complete on all ranks, when the log of a rank was full.
//!
//! After its log was full, the time of a rank would look like computing, and its partners would wait for calls that are not
//! recorded. So the traces of all ranks end where the first log was full.
use std::borrow::Cow;

use crate::RankTrace;

/// The part of the traces that is complete on all ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Truncation<'a> {
    /// The traces.
    pub ranks: Cow<'a, [RankTrace]>,
    /// The time from which on calls are missing, if any are.
    pub missing_since: Option<u64>,
    /// The number of missing calls: those that were not recorded, and those after the cut.
    pub missing_calls: u64,
}

/// Cuts all traces where the first log was full.
pub fn truncate(ranks: &[RankTrace]) -> Truncation<'_> {
    let full = ranks.iter().filter(|trace| trace.left_out > 0);
    let ends = full.map(|trace| trace.events.last().map_or(trace.begin_ns, |event| event.end_ns));
    let Some(from) = ends.min() else {
        return Truncation { ranks: Cow::Borrowed(ranks), missing_since: None, missing_calls: 0 };
    };
    let mut left_out = ranks.iter().map(|trace| trace.left_out).sum();
    let cut = |trace: &RankTrace| {
        let mut trace = trace.clone();
        let kept = trace.events.partition_point(|event| event.end_ns <= from);
        left_out += (trace.events.len() - kept) as u64;
        // A call that contains the cut is left out, and the trace of its rank ends at its entry.
        let entered = trace.events.get(kept).map_or(from, |event| event.begin_ns.min(from));
        trace.events.truncate(kept);
        trace.rounds.retain(|round| (round.event as usize) < kept);
        trace.begin_ns = trace.begin_ns.min(from);
        trace.end_ns = trace.end_ns.min(entered).max(trace.begin_ns);
        trace.stages.retain(|stage| stage.begin_ns <= from);
        trace
    };
    let ranks = Cow::Owned(ranks.iter().map(cut).collect());
    Truncation { ranks, missing_since: Some(from), missing_calls: left_out }
}
