//! From records to findings: the one place where numbers are computed.
//!
//! Every renderer (terminal, Markdown, HTML, both languages) renders the same [`TaskAnalysis`], so no two of them can differ
//! in a digit. Its invariant: it does not contain a number that the rules forbid. An efficiency at more ranks than
//! usable cores, or from repetitions below the least time, is a [`Withheld`] and carries no value to print by mistake.

mod bottleneck;
mod communication;
mod group;
mod hosts;
pub(crate) mod model;
mod model_row;
mod row;
mod share;
mod tested;
mod trust;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use bottleneck::Bottleneck;
pub(crate) use communication::{OperationAnalysis, SizeMeasurement, SizePoint};
pub(crate) use group::{BaseTime, WorkloadGroup};
pub(crate) use hosts::{HostFact, HostLayout};
pub(crate) use model::{DeclaredComputing, ModelAnalysis};
pub(crate) use model_row::{ModelRow, Unchecked};
pub(crate) use row::{CheckCounts, Flag, ResultRow, Withheld};
pub(crate) use share::ComputingShares;
pub(crate) use tested::TestRunInfo;
pub(crate) use trust::{Trust, TrustItem, TrustLevel};
pub(crate) use verdict::{Advice, GradedRow, Headline, ReportStatus, ReportVerdict};
use wb_record::{
    Backend, Environment, FunctionalRecord, Measurement, MeasurementPlan, Record, Subject,
    statistics::{Estimate, speedup},
};

/// Least time of a repetition when the records hold no plan: what a grade needs.
const DEFAULT_LEAST_REPETITION_NS: u64 = 50_000_000;
/// Target of the relative half-width when the records hold no plan.
const DEFAULT_TARGET_HALF_WIDTH: f64 = 0.03;

/// The content of the report of one task.
pub(crate) struct TaskAnalysis<'r> {
    /// The task and its author.
    pub(crate) subject: &'r Subject,
    /// The run that is reported.
    pub(crate) run: &'r str,
    /// When its last measurement ended.
    pub(crate) measured_at: &'r str,
    /// Where it was taken: that of the first parallel measurement.
    pub(crate) environment: &'r Environment,
    /// The plan of the run.
    pub(crate) plan: Option<&'r MeasurementPlan>,
    /// The backend of the messages; a mixture of several must not be graded.
    pub(crate) backends: BTreeSet<Backend>,
    /// One for every workload and mode.
    pub(crate) groups: Vec<WorkloadGroup>,
    /// The machines of the predictions; the rows are in the groups.
    pub(crate) models: Vec<ModelAnalysis<'r>>,
    /// The parts of the time of one run.
    pub(crate) bottleneck: Bottleneck<'r>,
    /// The machine's own speed-up by rank count.
    pub(crate) ceiling: BTreeMap<u32, Estimate>,
    /// Communication assignments; empty for all others.
    pub(crate) operations: Vec<OperationAnalysis>,
    /// Functional tests, of the last run that has any.
    pub(crate) functional: Vec<&'r FunctionalRecord>,
    /// The sources and the time of the tests.
    pub(crate) tested: Option<TestRunInfo<'r>>,
    /// Each rank's share of the computing of the traced run; `None` for a communication assignment.
    pub(crate) shares: Option<ComputingShares>,
    /// Whether the numbers are reliable.
    pub(crate) trust: Trust,
    /// The sentence on top.
    pub(crate) verdict: ReportVerdict,
}

impl<'r> TaskAnalysis<'r> {
    /// Analyses the last run in the records; `None` without records.
    ///
    /// Records of other tasks than the last one's, and of earlier runs, are not mixed in: two runs are two conditions.
    pub(crate) fn from_records(records: &'r [Record]) -> Option<Self> {
        let last = records.last()?;
        let of_task: Vec<&Record> = records.iter().filter(|r| r.subject.task == last.subject.task).collect();
        let measured = last_run(&of_task, is_timed);
        let tested = last_run(&of_task, |m| matches!(m, Measurement::Functional(_)));
        let shown = if measured.is_empty() { &tested } else { &measured };
        let head = shown.iter().find(|r| is_parallel(&r.measurement)).or(shown.first())?;
        let plan = measured.iter().find_map(|r| match &r.measurement {
            Measurement::Plan(plan) => Some(plan),
            _ => None,
        });
        let ceiling = ceiling(&measured);
        let mut groups = group::groups(&measured, plan, &ceiling);
        let operations = communication::operations(&measured);
        if !operations.is_empty() {
            groups.iter_mut().for_each(WorkloadGroup::withhold);
        }
        let of_run: Vec<&Record> = of_task.iter().copied().filter(|record| record.run == head.run).collect();
        let models = model::attach_predictions(&of_run, &mut groups, operations.is_empty());
        let bottleneck = bottleneck::bottleneck(&of_run, &groups);
        let backends = shown.iter().filter(|r| is_parallel(&r.measurement)).map(|r| backend(r)).collect();
        let functional: Vec<_> = tested.iter().filter_map(|r| functional(r)).collect();
        let shares = ComputingShares::from_bottleneck(&bottleneck).filter(|_| operations.is_empty());
        let found = trust::TrustInputs {
            groups: &groups,
            operations: &operations,
            functional: &functional,
            shares: shares.as_ref(),
        };
        let trust = trust::trust(&measured, &found, plan, &backends);
        let verdict = verdict::verdict(&groups, &operations, &functional, plan, &trust, &ceiling);
        Some(Self {
            subject: &last.subject,
            run: &head.run,
            measured_at: shown.last().map_or(&head.at, |r| &r.at),
            environment: &head.environment,
            plan,
            backends,
            groups,
            ceiling,
            models,
            bottleneck,
            operations,
            functional,
            tested: TestRunInfo::from_records(&tested, head),
            shares,
            trust,
            verdict,
        })
    }

    /// The half-width, relative to the median, at which a series counts as converged.
    pub(crate) fn target_half_width(&self) -> f64 {
        self.plan.map_or(DEFAULT_TARGET_HALF_WIDTH, |plan| plan.target_half_width)
    }

    /// Whether ranks were threads of one process.
    pub(crate) fn is_embedded(&self) -> bool {
        self.backends.contains(&Backend::Threads)
    }
}

fn backend(record: &Record) -> Backend {
    record.environment.message_passing.backend
}

fn functional(record: &Record) -> Option<&FunctionalRecord> {
    match &record.measurement {
        Measurement::Functional(functional) => Some(functional),
        _ => None,
    }
}

/// Whether it was timed. Tests, predictions and traces are reported, but no grade depends on them.
fn is_timed(measurement: &Measurement) -> bool {
    use Measurement::{Ceiling, Functional, Model, Outcome, Plan, Prediction, Sweep, Timing, Trace};
    match measurement {
        Plan(_) | Timing(_) | Ceiling(_) | Sweep(_) | Outcome(_) => true,
        Functional(_) | Prediction(_) | Model(_) | Trace(_) => false,
    }
}

fn is_parallel(measurement: &Measurement) -> bool {
    match measurement {
        Measurement::Timing(timing) => timing.series.version == wb_record::Version::Mpi,
        Measurement::Sweep(_) => true,
        _ => false,
    }
}

/// The records of the last run that holds a wanted measurement, only the wanted ones.
fn last_run<'r>(records: &[&'r Record], wanted: impl Fn(&Measurement) -> bool) -> Vec<&'r Record> {
    let wanted: Vec<&Record> = records.iter().copied().filter(|r| wanted(&r.measurement)).collect();
    let Some(run) = wanted.last().map(|r| &r.run) else { return Vec::new() };
    wanted.into_iter().filter(|r| r.run == *run).collect()
}

/// `S_box(p) = p T(1) / T(p)` of the spin kernel, for every rank count it ran at; empty without `T(1)`.
fn ceiling(records: &[&Record]) -> BTreeMap<u32, Estimate> {
    let mut launches: BTreeMap<u32, Vec<Vec<f64>>> = BTreeMap::new();
    for record in records {
        if let Measurement::Ceiling(ceiling) = &record.measurement {
            let samples = ceiling.samples_ns.iter().map(|&ns| ns as f64).collect();
            launches.entry(ceiling.ranks).or_default().push(samples);
        }
    }
    let Some(one) = launches.get(&1) else { return BTreeMap::new() };
    let at = |(&ranks, times): (&u32, &Vec<Vec<f64>>)| {
        let ratio = if ranks == 1 { Estimate { value: 1.0, interval: None } } else { speedup(one, times)? };
        Some((ranks, ratio.map(|r| r * f64::from(ranks))))
    };
    launches.iter().filter_map(at).collect()
}
