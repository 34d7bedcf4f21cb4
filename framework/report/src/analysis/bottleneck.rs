//! The parts of the time of one run: the trace among the records, if it is one of this task.

use wb_record::{Measurement, Record, TimedRegion, Trace};

use super::{Flag, WorkloadGroup};

/// The trace for the question "why is it not faster?".
pub(crate) enum Bottleneck<'r> {
    /// No run was traced.
    Untraced,
    /// A trace of another task.
    Foreign(&'r Trace),
    /// A trace, and the timed runs to compare it with.
    Traced(&'r Trace, TimedReference),
}

/// The timed runs, in nanoseconds, as far as there are any: of the pipeline, unless said otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TimedReference {
    /// The median on as many ranks.
    pub(crate) median: Option<f64>,
    /// `T*`; none for a communication operation, and none for a trace that is cut.
    pub(crate) base: Option<f64>,
    /// `T*` of `run` alone, where [`base`](Self::base) would be there, too.
    pub(crate) run_base: Option<f64>,
}

/// The last trace of one run.
pub(super) fn bottleneck<'r>(records: &[&'r Record], groups: &[WorkloadGroup]) -> Bottleneck<'r> {
    let mut traces = records.iter().filter_map(|record| match &record.measurement {
        Measurement::Trace(trace) => Some((&record.subject, &**trace)),
        _ => None,
    });
    match traces.next_back() {
        None => Bottleneck::Untraced,
        Some((subject, trace)) if trace.subject != *subject => Bottleneck::Foreign(trace),
        Some((_, trace)) => Bottleneck::Traced(trace, timed(trace, groups)),
    }
}

fn timed(trace: &Trace, groups: &[WorkloadGroup]) -> TimedReference {
    // Of a truncated trace only the beginning is known.
    if trace.simulated.is_some() || trace.ranks.iter().any(|rank| rank.left_out > 0) {
        return TimedReference::default();
    }
    let of_region = |region: TimedRegion| {
        groups.iter().find(|group| group.mode == region && group.workload == trace.workload)
    };
    let base = |group: &WorkloadGroup| group.base.as_ref().map(|base| base.time.median.value);
    let run_base = of_region(TimedRegion::TaskRun).and_then(base);
    let Some(group) = of_region(TimedRegion::Pipeline) else {
        return TimedReference { run_base, ..TimedReference::default() };
    };
    let same = group.parallel().find(|row| row.series.ranks as usize == trace.ranks.len());
    let median = same.filter(|row| !row.has(Flag::Incorrect)).and_then(|row| row.time);
    TimedReference { median: median.map(|time| time.median.value), base: base(group), run_base }
}
