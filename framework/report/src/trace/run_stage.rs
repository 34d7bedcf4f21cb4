//! The stage `run` of a traced run: how long it took, and how much of the ranks' time in it was computing.
use wb_record::{RankTrace, Trace};

/// The name of the stage.
const RUN: &str = "run";

/// The stage `run` of all ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RunStage {
    /// The time from the first rank's begin to the last rank's end, nanoseconds.
    pub(crate) total_ns: f64,
    /// The time outside of all calls, summed over the ranks, nanoseconds.
    pub(crate) computed_ns: f64,
    /// The number of ranks.
    pub(crate) ranks: usize,
}

impl RunStage {
    /// `None` where a rank has no such stage, or where calls were left out.
    pub(super) fn from_trace(trace: &Trace) -> Option<Self> {
        let spans: Vec<(u64, u64, u64)> = trace.ranks.iter().map(span).collect::<Option<_>>()?;
        let begin = spans.iter().map(|(begin, ..)| *begin).min()?;
        let end = spans.iter().map(|(_, end, _)| *end).max()?;
        let total_ns = end.saturating_sub(begin) as f64;
        let computed_ns = spans.iter().map(|(.., computed)| *computed as f64).sum();
        (total_ns > 0.0).then_some(Self { total_ns, computed_ns, ranks: spans.len() })
    }

    /// The share of the ranks' time in which they computed.
    pub(crate) fn computed_share(&self) -> f64 {
        self.computed_ns / self.whole_ns()
    }

    /// The efficiency for this base, and the share of the ranks' time that is computing beyond the base.
    pub(crate) fn efficiency(&self, base_ns: f64) -> (f64, f64) {
        let efficiency = wb_record::statistics::efficiency(base_ns / self.total_ns, self.ranks as u32);
        (efficiency, (self.computed_ns - base_ns) / self.whole_ns())
    }

    fn whole_ns(&self) -> f64 {
        self.total_ns * self.ranks as f64
    }
}

/// Begin and end of the stage of one rank, and its time outside of calls.
fn span(rank: &RankTrace) -> Option<(u64, u64, u64)> {
    let run = rank.stages.iter().find(|stage| stage.name == RUN && rank.left_out == 0)?;
    let inside = |begin: u64, end: u64| end.min(run.end_ns).saturating_sub(begin.max(run.begin_ns));
    let in_calls: u64 = rank.events.iter().map(|event| inside(event.begin_ns, event.end_ns)).sum();
    let length = run.end_ns.saturating_sub(run.begin_ns);
    Some((run.begin_ns, run.end_ns, length.saturating_sub(in_calls)))
}
