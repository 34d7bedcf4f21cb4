//! One row of the results: one series with its valid numbers.

use std::collections::BTreeSet;

use wb_record::{
    ClockInfo, MachineLoad, Record, Repetition, Series, SeriesFailure, SeriesOutcome, Stages, Timing,
    Traffic,
    statistics::{Estimate, Summary, median},
};

use super::hosts;

/// The reason why a derived number is not stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Withheld {
    /// More ranks than usable cores: the time does not depend on the program only.
    Oversubscribed,
    /// A repetition (this one's or the base's) is too short to be timed for a grade.
    TooShort,
    /// Some output was wrong; the speed of a wrong answer is of no interest.
    Incorrect,
    /// No sequential time to compare with.
    NoBase,
    /// No time at all.
    NoTime,
    /// A communication operation: a copy in memory is not a base for it.
    NoCounterpart,
}

/// A remark on the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Flag {
    Incorrect,
    Unchecked,
    Oversubscribed,
    TooShort,
    Failed,
    Superlinear,
    AboveCeiling,
    Waits,
    NotConverged,
    Drift,
    Noisy,
    Disturbed,
    OtherHosts,
}

/// A repetition on one rank that left the processor for a larger share of its time waits instead of computing.
const MAX_WAIT_SHARE: f64 = 0.1;

/// The time that a rank may wait for its processor while another program uses it, where the system does not report that time:
/// several time slices of a busy machine.
const MAX_QUEUED_NS: f64 = 100e6;

/// The number of checked repetitions, and their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct CheckCounts {
    pub(crate) right: usize,
    pub(crate) wrong: usize,
    pub(crate) unchecked: usize,
}

/// One series with its valid numbers.
pub(crate) struct ResultRow {
    pub(crate) series: Series,
    /// Samples in nanoseconds for one execution, by launch.
    pub(crate) launches: Vec<Vec<f64>>,
    pub(crate) time: Option<Summary>,
    /// Median of a whole repetition, inner iterations together: what is compared with the least time.
    pub(crate) repetition_ns: Option<f64>,
    pub(crate) required_ns: f64,
    pub(crate) checked: CheckCounts,
    pub(crate) warmup_dropped: u32,
    pub(crate) stages: Vec<Stages>,
    pub(crate) traffic: Option<Traffic>,
    /// The names of the hosts of all launches; empty where they are not known.
    pub(crate) hosts: BTreeSet<String>,
    /// The machine with the most ranks per processor; `None` without a launch.
    pub(crate) highest_load: Option<MachineLoad>,
    /// Whether its launches were on different sets of hosts.
    pub(crate) changes_hosts: bool,
    pub(crate) skew_ns: Option<f64>,
    pub(crate) switches: u64,
    pub(crate) drift: Option<f64>,
    pub(crate) half_width: Option<f64>,
    pub(crate) failure: Option<SeriesFailure>,
    pub(crate) is_base: bool,
    pub(crate) speedup: Result<Estimate, Withheld>,
    /// Parallel rows only: a sequential program has no efficiency.
    pub(crate) efficiency: Option<Result<Estimate, Withheld>>,
    pub(crate) relative_speedup: Option<Estimate>,
    pub(crate) ceiling_share: Option<f64>,
    pub(crate) karp_flatt: Option<Estimate>,
    pub(crate) overhead_share: Option<f64>,
    pub(crate) flags: Vec<Flag>,
}

/// The raw material of a row.
pub(crate) struct RowInputs<'r> {
    pub(crate) series: &'r Series,
    pub(crate) timings: Vec<(&'r Record, &'r Timing)>,
    pub(crate) outcome: Option<&'r SeriesOutcome>,
    pub(crate) min_repetition_ns: u64,
    pub(crate) target_half_width: f64,
}

impl ResultRow {
    /// The row with everything that needs no base.
    pub(crate) fn new(material: &RowInputs<'_>) -> Self {
        let timings = || material.timings.iter().map(|(_, timing)| *timing);
        let launches: Vec<Vec<f64>> =
            timings().map(Timing::samples_ns).filter(|samples| !samples.is_empty()).collect();
        let repetitions: Vec<&Repetition> = timings().flat_map(|t| &t.repetitions).collect();
        let time = Summary::from_samples(&launches.concat());
        let elapsed: Vec<f64> = repetitions.iter().map(|r| r.elapsed_ns as f64).collect();
        let skews: Vec<f64> = repetitions.iter().map(|r| r.entry_skew_ns as f64).collect();
        let drifts = timings().filter_map(|t| t.sentinel.as_ref()?.drift());
        let host_sets: BTreeSet<BTreeSet<String>> =
            material.timings.iter().map(|(record, _)| hosts::host_set(record)).collect();
        let records = material.timings.iter().map(|(record, _)| *record);
        let mut row = Self {
            series: material.series.clone(),
            repetition_ns: median(&elapsed),
            required_ns: required_ns(material),
            checked: checked(&repetitions),
            warmup_dropped: timings().map(|t| t.warmup_dropped).sum(),
            stages: timings().flat_map(|t| t.stages.iter().copied()).collect(),
            traffic: timings().find_map(|t| t.traffic),
            hosts: host_sets.iter().flatten().cloned().collect(),
            changes_hosts: host_sets.len() > 1,
            highest_load: hosts::highest_load(records, material.series.ranks),
            skew_ns: median(&skews),
            switches: repetitions.iter().map(|r| r.involuntary_switches).sum(),
            drift: drifts.max_by(f64::total_cmp),
            half_width: time.as_ref().and_then(Summary::relative_half_width),
            failure: material.outcome.and_then(|o| o.failure.clone()),
            is_base: false,
            speedup: Err(Withheld::NoBase),
            efficiency: None,
            relative_speedup: None,
            ceiling_share: None,
            karp_flatt: None,
            overhead_share: None,
            flags: Vec::new(),
            time,
            launches,
        };
        row.flags = row.flags_of(material, &repetitions);
        row
    }

    pub(crate) fn has(&self, flag: Flag) -> bool {
        self.flags.contains(&flag)
    }

    /// The reason why nothing may be derived from this row's time, if there is one: the gravest.
    pub(crate) fn withheld(&self) -> Option<Withheld> {
        if self.has(Flag::Incorrect) {
            Some(Withheld::Incorrect)
        } else if self.time.is_none() && self.has(Flag::TooShort) {
            Some(Withheld::TooShort)
        } else if self.time.is_none() || self.has(Flag::Failed) {
            // The launches before the one that failed are not a time of this version.
            Some(Withheld::NoTime)
        } else if self.has(Flag::Oversubscribed) {
            Some(Withheld::Oversubscribed)
        } else if self.has(Flag::TooShort) {
            Some(Withheld::TooShort)
        } else {
            None
        }
    }

    /// Takes back everything that was derived: the task is a communication operation.
    pub(super) fn withhold(&mut self) {
        self.is_base = false;
        self.speedup = Err(Withheld::NoCounterpart);
        self.efficiency = None;
        (self.relative_speedup, self.karp_flatt) = (None, None);
        (self.ceiling_share, self.overhead_share) = (None, None);
        self.flags.retain(|flag| *flag != Flag::Superlinear);
    }

    /// Number of samples.
    pub(crate) fn sample_count(&self) -> usize {
        self.launches.iter().map(Vec::len).sum()
    }

    fn flags_of(&self, material: &RowInputs<'_>, repetitions: &[&Repetition]) -> Vec<Flag> {
        let oversubscribed = self.highest_load.is_some_and(MachineLoad::is_oversubscribed);
        let short = matches!(self.failure, Some(SeriesFailure::TooShort { .. }))
            || self.repetition_ns.is_some_and(|ns| ns < self.required_ns);
        let incorrect =
            matches!(self.failure, Some(SeriesFailure::Incorrect { .. })) || self.checked.wrong > 0;
        let failed = !short && !incorrect && (self.failure.is_some() || self.time.is_none());
        let wide = self.half_width.is_none_or(|half| half > material.target_half_width);
        let not_converged = material.outcome.map_or(wide, |outcome| !outcome.converged);
        let disturbed = repetitions.iter().filter(|r| r.cpu_share.is_some_and(|share| share < 0.9)).count();
        let flags = [
            (Flag::Incorrect, incorrect),
            (Flag::Unchecked, self.checked.unchecked > 0),
            (Flag::Oversubscribed, oversubscribed),
            (Flag::TooShort, short),
            (Flag::Failed, failed),
            (Flag::Waits, self.series.ranks == 1 && is_waiting(repetitions)),
            (Flag::NotConverged, self.time.is_some() && not_converged),
            (Flag::Drift, self.drift.is_some_and(|drift| drift > 0.03)),
            (Flag::Noisy, self.time.is_some_and(|time| time.outliers.is_noisy())),
            (Flag::Disturbed, disturbed * 10 > repetitions.len()),
        ];
        flags.into_iter().filter_map(|(flag, holds)| holds.then_some(flag)).collect()
    }
}

/// Whether a version on one rank sleeps, or leaves its work to other threads: its processor time is less than its wall time,
/// and no other program had the processor meanwhile.
fn is_waiting(repetitions: &[&Repetition]) -> bool {
    let idle = |repetition: &&Repetition| {
        let elapsed = repetition.elapsed_ns as f64;
        let switches = repetition.involuntary_switches as f64;
        let taken = repetition.queued_ns.map_or(MAX_QUEUED_NS * switches, |ns| ns as f64);
        repetition.cpu_share.map(|share| (elapsed * (1.0 - share) - taken) / elapsed.max(1.0))
    };
    let idle: Vec<f64> = repetitions.iter().filter_map(idle).collect();
    median(&idle).is_some_and(|share| share > MAX_WAIT_SHARE)
}

/// The least repetition that counts: the plan's, or the shortest that the clocks measure reliably, whichever is longer.
fn required_ns(material: &RowInputs<'_>) -> f64 {
    let clocks = material.timings.iter().map(|(record, _)| &record.environment.clock);
    clocks.map(ClockInfo::shortest_reliable_ns).fold(material.min_repetition_ns as f64, f64::max)
}

fn checked(repetitions: &[&Repetition]) -> CheckCounts {
    let mut checked = CheckCounts::default();
    for repetition in repetitions {
        match repetition.correct {
            Some(true) => checked.right += 1,
            Some(false) => checked.wrong += 1,
            None => checked.unchecked += 1,
        }
    }
    checked
}
