//! The first sentence, the status, and the advice.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wb_record::{
    FunctionalRecord, MeasuredWorkload, MeasurementPlan, SeriesFailure, TimedRegion, Version,
    statistics::{Comparison, Estimate, Grade, grade},
};

use super::{
    BaseTime, Flag, OperationAnalysis, ResultRow, Trust, TrustItem, TrustLevel, Withheld, WorkloadGroup,
};

/// Efficiency from which a program that is not graded by bands is shown green, and from which yellow.
const GREEN_EFFICIENCY: f64 = 0.80;
const YELLOW_EFFICIENCY: f64 = 0.50;
/// The least size at which bandwidth, not latency, decides.
const LARGE_MESSAGE: u64 = 64 << 10;

/// The status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum ReportStatus {
    Green,
    Yellow,
    Red,
}

/// The first sentence of the report.
pub(crate) struct ReportVerdict {
    pub(crate) status: ReportStatus,
    pub(crate) headline: Headline,
    pub(crate) advice: Vec<Advice>,
}

/// The finding itself.
pub(crate) enum Headline {
    /// A task with a speed-up.
    Scaling(Box<GradedRow>),
    /// A communication assignment: sizes at which the student is slower, as fast, faster.
    Communication { call: String, slower: usize, equal: usize, faster: usize },
    /// A communication assignment of which no ratio may be stated.
    CommunicationWithheld(Withheld),
    /// There is no grade, for this reason.
    Nothing(Withheld),
    /// Functional tests only.
    Functional { passed: usize, total: usize },
}

/// The numbers of the graded row.
pub(crate) struct GradedRow {
    pub(crate) workload: MeasuredWorkload,
    pub(crate) mode: TimedRegion,
    pub(crate) ranks: u32,
    pub(crate) base: BaseTime,
    pub(crate) speedup: Estimate,
    pub(crate) efficiency: Estimate,
    /// The grade by the bands in force; `None` if performance is not graded.
    pub(crate) grade: Option<Grade>,
    pub(crate) points: Option<f64>,
    /// The efficiency of `run` alone, where `pipeline` decides because they disagree.
    pub(crate) overruled_efficiency: Option<f64>,
    /// The speed-up of the whole pipeline, where both were measured and `run` alone decides.
    pub(crate) pipeline_speedup: Option<Estimate>,
    /// Whether it earns nothing because the program, or its whole pipeline, may be no faster than the sequential one.
    pub(crate) is_lowered: bool,
}

/// Advice on what to try next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Advice {
    FixResult,
    FixFailures,
    MoreRanks,
    EnableVersion,
    InstallMpi,
    FewerRanks(u32),
    BiggerInput,
    CalmerMachine,
    FinalRun,
    MoreLaunches,
    RecheckBase,
    ReleaseBuild,
    MachineLimits(f64),
    ShareTheWork,
    AboveCeiling,
    RunTests,
    Distribution(f64),
    Overhead(f64),
    SmallMessages,
    LargeMessages,
    Counts,
    MeasureAgain,
    WriteAnalysis,
}

pub(super) fn verdict(
    groups: &[WorkloadGroup],
    operations: &[OperationAnalysis],
    functional: &[&FunctionalRecord],
    plan: Option<&MeasurementPlan>,
    trust: &Trust,
    ceiling: &BTreeMap<u32, Estimate>,
) -> ReportVerdict {
    let failed = functional
        .iter()
        .filter(|f| !matches!(f.verdict, wb_record::TestOutcome::Pass | wb_record::TestOutcome::Skip));
    let failed = failed.count();
    let (headline, status, mut advice) = if !operations.is_empty() {
        operation_verdict(operations)
    } else if let Some(graded) = graded(groups, plan, trust) {
        graded_advice(graded, groups, ceiling, trust)
    } else if groups.is_empty() {
        let passed = functional.iter().filter(|f| f.verdict == wb_record::TestOutcome::Pass).count();
        let status = if failed > 0 || passed == 0 { ReportStatus::Red } else { ReportStatus::Green };
        (Headline::Functional { passed, total: functional.len() }, status, Vec::new())
    } else {
        let reason = reason(groups);
        (Headline::Nothing(reason), ReportStatus::Red, withheld_advice(reason, groups, trust))
    };
    if failed > 0 {
        advice.insert(0, Advice::FixFailures);
    }
    for more in trust_advice(trust) {
        if !advice.contains(&more) {
            advice.push(more);
        }
    }
    if advice.is_empty() {
        advice.push(Advice::WriteAnalysis);
    }
    let worst = match trust.level() {
        TrustLevel::Bad => ReportStatus::Red,
        TrustLevel::Doubtful => ReportStatus::Yellow,
        TrustLevel::Good => ReportStatus::Green,
    };
    let status = status.max(worst).max(if failed > 0 { ReportStatus::Red } else { ReportStatus::Green });
    ReportVerdict { status, headline, advice }
}

/// The graded row: the plan's rank count, or the largest that has an efficiency; `task_run` before `pipeline`; the
/// largest workload.
fn graded(groups: &[WorkloadGroup], plan: Option<&MeasurementPlan>, trust: &Trust) -> Option<GradedRow> {
    let wanted = plan.and_then(|plan| plan.graded_ranks);
    let mut candidates: Vec<(&WorkloadGroup, &ResultRow)> = groups
        .iter()
        .flat_map(|group| group.parallel().map(move |row| (group, row)))
        .filter(|(_, row)| matches!(row.efficiency, Some(Ok(_))) && row.series.ranks > 1)
        .filter(|(_, row)| wanted.is_none_or(|ranks| row.series.ranks == ranks))
        .collect();
    candidates.sort_by_key(|(group, row)| {
        (group.mode, std::cmp::Reverse(row.series.ranks), std::cmp::Reverse(group.workload.size))
    });
    let first = *candidates.first()?;
    let whole = pipeline(first, &candidates);
    let deciding = whole.filter(|(_, whole)| is_decisive(whole, first.1, plan));
    let (group, row) = deciding.unwrap_or(first);
    let (speedup, efficiency) = (row.speedup.ok()?, row.efficiency?.ok()?);
    let bands = plan.map_or(&[][..], |plan| &plan.bands);
    let is_gradable = !bands.is_empty() && !row.has(Flag::Superlinear) && !trust.withholds_points();
    let earned = is_gradable.then(|| grade(bands, &efficiency));
    let pipeline_speedup = whole.filter(|_| deciding.is_none()).and_then(|(_, whole)| whole.speedup.ok());
    let is_faster = |speedup: &Estimate| speedup.interval.is_some_and(|interval| interval.lo > 1.0);
    let both_faster = is_faster(&speedup) && pipeline_speedup.as_ref().is_none_or(is_faster);
    let grade = earned.map(|earned| if both_faster { earned } else { Grade { share: 0.0, ..earned } });
    Some(GradedRow {
        workload: group.workload.clone(),
        mode: group.mode,
        ranks: row.series.ranks,
        base: group.base?,
        speedup,
        efficiency,
        pipeline_speedup,
        is_lowered: earned != grade,
        grade,
        points: plan.and_then(|plan| plan.performance_points),
        overruled_efficiency: deciding.and_then(|_| Some(first.1.efficiency?.ok()?.value)),
    })
}

/// The row of the whole pipeline beside one of `run`.
fn pipeline<'a>(
    (group, row): (&WorkloadGroup, &ResultRow),
    candidates: &[(&'a WorkloadGroup, &'a ResultRow)],
) -> Option<(&'a WorkloadGroup, &'a ResultRow)> {
    let of_whole = |(other, whole): &&(&WorkloadGroup, &ResultRow)| {
        other.mode == TimedRegion::Pipeline
            && other.workload == group.workload
            && whole.series.ranks == row.series.ranks
    };
    candidates.iter().find(of_whole).filter(|_| group.mode == TimedRegion::TaskRun).copied()
}

/// Whether the whole pipeline disagrees with `run` by more than the course allows.
fn is_decisive(whole: &ResultRow, run: &ResultRow, plan: Option<&MeasurementPlan>) -> bool {
    let efficiency = |row: &ResultRow| Some(row.efficiency?.ok()?.value);
    let is_below = || Some(efficiency(whole)? < plan?.pipeline_decides_below? * efficiency(run)?);
    is_below().unwrap_or(false)
}

/// The gravest reason why no parallel row has an efficiency.
fn reason(groups: &[WorkloadGroup]) -> Withheld {
    let reasons: Vec<Withheld> = groups
        .iter()
        .flat_map(WorkloadGroup::parallel)
        .filter(|row| row.series.ranks > 1)
        .filter_map(|row| row.speedup.err())
        .collect();
    let order = [Withheld::Incorrect, Withheld::TooShort, Withheld::NoBase, Withheld::Oversubscribed];
    order.into_iter().find(|reason| reasons.contains(reason)).unwrap_or(Withheld::NoTime)
}

fn withheld_advice(reason: Withheld, groups: &[WorkloadGroup], trust: &Trust) -> Vec<Advice> {
    match reason {
        Withheld::Incorrect => vec![Advice::FixResult],
        Withheld::TooShort => vec![Advice::BiggerInput],
        Withheld::Oversubscribed => fewer_ranks(trust).into_iter().collect(),
        Withheld::NoBase | Withheld::NoTime | Withheld::NoCounterpart => {
            vec![missing_time_advice(reason, groups)]
        }
    }
}

/// What to do about a time that is not there: its series failed, was switched off, or was never asked for.
fn missing_time_advice(reason: Withheld, groups: &[WorkloadGroup]) -> Advice {
    let rows = groups.iter().flat_map(|group| &group.rows);
    let is_absent = |row: &&ResultRow| match reason {
        Withheld::NoBase => row.series.ranks == 1,
        _ => row.series.version == Version::Mpi && row.series.ranks > 1,
    };
    let failures: Vec<_> = rows.filter(is_absent).map(|row| row.failure.as_ref()).collect();
    if failures.iter().any(|failure| failure.is_some_and(|why| *why != SeriesFailure::Disabled)) {
        Advice::FixFailures
    } else if failures.iter().any(Option::is_some) || reason == Withheld::NoBase {
        Advice::EnableVersion
    } else {
        Advice::MoreRanks
    }
}

fn fewer_ranks(trust: &Trust) -> Option<Advice> {
    trust.items.iter().find_map(|(_, item)| match item {
        TrustItem::Ranks { max: most, usable } if most > usable => Some(Advice::FewerRanks(*usable)),
        _ => None,
    })
}

/// What narrows the intervals: a final run has no more launches to select.
fn more_launches(trust: &Trust) -> Advice {
    let is_quick =
        |(_, item): &(TrustLevel, TrustItem)| matches!(item, TrustItem::Sampling { quick: true, .. });
    if trust.items.iter().any(is_quick) { Advice::FinalRun } else { Advice::MoreLaunches }
}

fn graded_advice(
    graded: GradedRow,
    groups: &[WorkloadGroup],
    ceiling: &BTreeMap<u32, Estimate>,
    trust: &Trust,
) -> (Headline, ReportStatus, Vec<Advice>) {
    let mut advice = Vec::new();
    let efficiency = graded.efficiency.value;
    let row_of = |mode: TimedRegion| {
        let group = groups.iter().find(|g| g.workload == graded.workload && g.mode == mode)?;
        group.parallel().find(|row| row.series.ranks == graded.ranks)
    };
    if wb_record::statistics::is_superlinear(&graded.efficiency) {
        advice.push(Advice::RecheckBase);
    }
    if graded.grade.is_some_and(|grade| !grade.is_certain) {
        advice.push(more_launches(trust));
    }
    let share_of_ceiling = ceiling.get(&graded.ranks).map(|limit| graded.speedup.value / limit.value);
    let is_faster = graded.speedup.interval.is_some_and(|interval| interval.lo > 1.0);
    match share_of_ceiling {
        // Of a program that does not share its work, the rest is not the machine's.
        _ if trust.withholds_points() => {}
        Some(share) if is_faster && (0.95..=1.1).contains(&share) && efficiency < 0.95 => {
            advice.push(Advice::MachineLimits(share));
        }
        _ if efficiency < GREEN_EFFICIENCY => advice.push(Advice::Overhead(1.0 - efficiency)),
        _ => {}
    }
    let pipeline = row_of(TimedRegion::Pipeline).and_then(|row| row.efficiency?.ok());
    if let Some(whole) =
        pipeline.filter(|whole| graded.mode == TimedRegion::TaskRun && whole.value < 0.8 * efficiency)
    {
        advice.push(Advice::Distribution(whole.value));
    }
    let status = match graded.grade {
        Some(grade) if grade.share >= 1.0 && grade.is_certain => ReportStatus::Green,
        Some(grade) if grade.share > 0.0 => ReportStatus::Yellow,
        Some(_) => ReportStatus::Red,
        None if efficiency >= GREEN_EFFICIENCY => ReportStatus::Green,
        None if efficiency >= YELLOW_EFFICIENCY => ReportStatus::Yellow,
        None => ReportStatus::Red,
    };
    (Headline::Scaling(Box::new(graded)), status, advice)
}

fn operation_verdict(operations: &[OperationAnalysis]) -> (Headline, ReportStatus, Vec<Advice>) {
    if !operations.iter().all(OperationAnalysis::is_correct) {
        return (
            Headline::CommunicationWithheld(Withheld::Incorrect),
            ReportStatus::Red,
            vec![Advice::FixResult],
        );
    }
    let points = || operations.iter().filter(|o| !o.oversubscribed).flat_map(|o| &o.points);
    if points().next().is_none() {
        return (Headline::CommunicationWithheld(Withheld::Oversubscribed), ReportStatus::Red, Vec::new());
    }
    let is = |wanted: Comparison| move |p: &&super::SizePoint| p.ratio.is_some() && p.comparison == wanted;
    let slower: Vec<_> = points().filter(is(Comparison::Greater)).collect();
    let mut advice = Vec::new();
    if slower.iter().any(|point| point.bytes < LARGE_MESSAGE) {
        advice.push(Advice::SmallMessages);
    }
    if slower.iter().any(|point| point.bytes >= LARGE_MESSAGE) {
        advice.push(Advice::LargeMessages);
    }
    let counts_differ = operations.iter().flat_map(|o| &o.points).any(|p| p.matches_formula == Some(false));
    if counts_differ {
        advice.push(Advice::Counts);
    }
    let headline = Headline::Communication {
        call: operations[0].library_call.clone(),
        slower: slower.len(),
        equal: points().filter(is(Comparison::Indistinguishable)).count(),
        faster: points().filter(is(Comparison::Less)).count(),
    };
    let status = match () {
        () if counts_differ => ReportStatus::Red,
        () if slower.is_empty() => ReportStatus::Green,
        () => ReportStatus::Yellow,
    };
    (headline, status, advice)
}

/// Advice that follows from the facts in the trust box.
fn trust_advice(trust: &Trust) -> Vec<Advice> {
    let mut advice = Vec::new();
    for (level, item) in trust.items.iter().filter(|(level, _)| *level > TrustLevel::Good) {
        advice.push(match item {
            TrustItem::Backend(_) => Advice::InstallMpi,
            TrustItem::MixedConditions => Advice::MeasureAgain,
            TrustItem::Build { .. } if *level == TrustLevel::Bad => Advice::ReleaseBuild,
            TrustItem::Drift(Some(_)) | TrustItem::Disturbed { .. } | TrustItem::Load { .. } => {
                Advice::CalmerMachine
            }
            TrustItem::Converged { .. } => Advice::CalmerMachine,
            TrustItem::Sampling { .. } => more_launches(trust),
            TrustItem::Untested => Advice::RunTests,
            TrustItem::Tests { .. } => Advice::FixFailures,
            TrustItem::SingleWorker { .. } => Advice::ShareTheWork,
            TrustItem::Waits(_) => Advice::RecheckBase,
            TrustItem::AboveCeiling => Advice::AboveCeiling,
            _ => continue,
        });
    }
    let mut seen = Vec::new();
    advice.retain(|a| {
        !seen.contains(a) && {
            seen.push(*a);
            true
        }
    });
    advice
}
