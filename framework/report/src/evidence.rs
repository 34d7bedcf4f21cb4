//! What a grade needs of the records and of the report: values of `wb-course`.

use wb_course::{
    CommunicationEvidence, FailedTest, MeasuredInterval, PerformanceDoubt, PerformanceEvidence,
    PerformanceGap, ScalingEvidence, VersionEvidence,
};
use wb_messages::Lang;
use wb_record::{
    Backend, FunctionalRecord, Record, SeriesFailure, TestOutcome, Version,
    statistics::{Estimate, is_superlinear},
};
use wb_text::Text;

use crate::{
    analysis::{
        Flag, GradedRow, Headline, OperationAnalysis, ResultRow, TaskAnalysis, TrustItem, TrustLevel,
        Withheld, WorkloadGroup,
    },
    labels,
};

/// The number of failed runs that evidence lists.
const MAX_FAILURES: usize = 3;

/// The most characters of a failure's reason.
const MAX_REASON: usize = 200;

/// The performance of the last run in the records, reduced to what a grade needs.
pub fn performance_evidence(records: &[Record]) -> PerformanceEvidence {
    let analysis = TaskAnalysis::from_records(records);
    analysis.as_ref().map_or(PerformanceEvidence::missing(PerformanceGap::NotMeasured), performance_of)
}

/// The performance that an analysis found.
pub(crate) fn performance_of(analysis: &TaskAnalysis<'_>) -> PerformanceEvidence {
    let missing = PerformanceEvidence::missing;
    match &analysis.verdict.headline {
        Headline::Functional { .. } => missing(PerformanceGap::NotMeasured),
        Headline::Nothing(withheld @ (Withheld::NoTime | Withheld::NoBase)) => {
            first_failure(analysis).map_or_else(|| missing(gap(*withheld)), failed)
        }
        Headline::Nothing(withheld) => missing(gap(*withheld)),
        Headline::CommunicationWithheld(Withheld::Incorrect) => missing(PerformanceGap::Incorrect),
        Headline::Communication { .. } | Headline::CommunicationWithheld(_) => {
            PerformanceEvidence::Communication(communication(analysis))
        }
        Headline::Scaling(graded) => PerformanceEvidence::Scaling(scaling(analysis, graded)),
    }
}

/// What the functional tests of the last run found of one version, and whether `task.yaml` enables it.
pub fn version_evidence(records: &[Record], version: Version, enabled: bool) -> VersionEvidence {
    let mut found = VersionEvidence { enabled, ..VersionEvidence::default() };
    let Some(analysis) = TaskAnalysis::from_records(records) else { return found };
    for test in analysis.functional.iter().filter(|test| test.version == version) {
        match test.verdict {
            TestOutcome::Pass => {
                found.passed += 1;
                found.passed_on_mpi += u32::from(test.ranks > 1 && test.backend == Backend::Mpi);
            }
            TestOutcome::Skip => found.skipped += 1,
            TestOutcome::Fail
            | TestOutcome::Hang
            | TestOutcome::Limit
            | TestOutcome::Crash
            | TestOutcome::Aborted => {
                found.failed += 1;
                if found.failures.len() < MAX_FAILURES {
                    found.failures.push(failed_test(test));
                }
            }
        }
    }
    found
}

/// The first series that failed, of those on no more ranks than cores.
fn first_failure<'a>(analysis: &'a TaskAnalysis<'_>) -> Option<&'a SeriesFailure> {
    let mut rows = analysis.groups.iter().flat_map(|group: &WorkloadGroup| &group.rows);
    let failed = rows.find(|row: &&ResultRow| row.has(Flag::Failed) && !row.has(Flag::Oversubscribed));
    failed?.failure.as_ref().filter(|failure| **failure != SeriesFailure::Disabled)
}

fn failed(failure: &SeriesFailure) -> PerformanceEvidence {
    let text = |lang| shortened(&labels::failure(lang, Some(failure)));
    let reason = Text { en: text(Lang::En).into(), ru: text(Lang::Ru).into() };
    PerformanceEvidence::Missing { gap: PerformanceGap::Failed, reason: Some(reason) }
}

fn failed_test(test: &FunctionalRecord) -> FailedTest {
    let outcome = match test.verdict {
        TestOutcome::Hang => "hang",
        TestOutcome::Limit => "limit",
        TestOutcome::Crash => "crash",
        TestOutcome::Aborted => "aborted",
        TestOutcome::Fail | TestOutcome::Pass | TestOutcome::Skip => "fail",
    };
    FailedTest {
        test: test.test.clone(),
        ranks: test.ranks,
        backend: test.backend.name().to_owned(),
        outcome: outcome.to_owned(),
        reason: shortened(test.reason.as_deref().unwrap_or_default()),
    }
}

/// The first line of a reason, and no more than [`MAX_REASON`] characters of it.
fn shortened(reason: &str) -> String {
    let first_line = reason.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    first_line.chars().take(MAX_REASON).collect()
}

fn gap(withheld: Withheld) -> PerformanceGap {
    match withheld {
        Withheld::Oversubscribed => PerformanceGap::TooFewCores,
        Withheld::TooShort => PerformanceGap::TooShort,
        Withheld::Incorrect => PerformanceGap::Incorrect,
        Withheld::NoBase => PerformanceGap::NoBase,
        Withheld::NoTime | Withheld::NoCounterpart => PerformanceGap::NoTime,
    }
}

fn scaling(analysis: &TaskAnalysis<'_>, graded: &GradedRow) -> ScalingEvidence {
    let workload = &graded.workload;
    let mut doubts = doubts(analysis);
    if is_superlinear(&graded.efficiency) {
        doubts.push(PerformanceDoubt::Superlinear);
    }
    let percent = graded.efficiency.map(|share| 100.0 * share);
    ScalingEvidence {
        workload: format!("{} {} {}", workload.name, workload.size, workload.unit),
        region: graded.mode.name().to_owned(),
        base: graded.base.version.name().to_owned(),
        speedup: interval(&graded.speedup, graded.ranks),
        efficiency: interval(&percent, graded.ranks),
        pipeline_speedup: graded.pipeline_speedup.map(|speedup| interval(&speedup, graded.ranks)),
        has_interval: graded.efficiency.interval.is_some() && graded.speedup.interval.is_some(),
        doubts,
    }
}

fn communication(analysis: &TaskAnalysis<'_>) -> CommunicationEvidence {
    let operations = || analysis.operations.iter().filter(|operation| operation.ranks > 1);
    let counted: Vec<bool> = operations()
        .flat_map(|operation| &operation.points)
        .filter_map(|point| point.matches_formula)
        .collect();
    let ratios_of = |operation: &OperationAnalysis| -> Vec<MeasuredInterval> {
        let stated = operation.points.iter().filter_map(|point| point.ratio);
        stated.map(|ratio| interval(&ratio, operation.ranks)).collect()
    };
    CommunicationEvidence {
        library_call: analysis.operations.first().map(|first| first.library_call.clone()).unwrap_or_default(),
        ranks: operations().map(|operation| operation.ranks).max().unwrap_or(1),
        counted: counted.len() as u32,
        counts_right: counted.iter().filter(|is_right| **is_right).count() as u32,
        ratios: operations().flat_map(ratios_of).collect(),
        doubts: doubts(analysis),
    }
}

/// Both ends are the estimate where no interval could be computed.
fn interval(estimate: &Estimate, ranks: u32) -> MeasuredInterval {
    let value = estimate.value;
    let (low, high) = estimate.interval.map_or((value, value), |interval| (interval.lo, interval.hi));
    MeasuredInterval { low: low.min(value), value, high: high.max(value), ranks }
}

/// The reasons why the numbers earn no points.
fn doubts(analysis: &TaskAnalysis<'_>) -> Vec<PerformanceDoubt> {
    let quick = analysis.plan.is_some_and(|plan| plan.quick).then_some(PerformanceDoubt::Quick);
    let bad = analysis.trust.items.iter().filter(|(level, _)| *level == TrustLevel::Bad);
    let mut found: Vec<PerformanceDoubt> =
        quick.into_iter().chain(bad.filter_map(|(_, item)| doubt(item))).collect();
    found.sort();
    found.dedup();
    found
}

/// The doubt that an item of the trust box is, where it is bad.
pub(crate) fn doubt(item: &TrustItem) -> Option<PerformanceDoubt> {
    match item {
        TrustItem::Backend(_) => Some(PerformanceDoubt::NotMpi),
        TrustItem::MixedConditions => Some(PerformanceDoubt::MixedConditions),
        TrustItem::Untested => Some(PerformanceDoubt::Untested),
        TrustItem::SingleWorker { .. } => Some(PerformanceDoubt::SingleWorker),
        TrustItem::Waits(_) => Some(PerformanceDoubt::Waits),
        TrustItem::AboveCeiling => Some(PerformanceDoubt::AboveCeiling),
        _ => None,
    }
}
