//! The sentence on top, the traffic light, and what to try next.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wb_record::{Failure, Functional, Mode, Plan, Version, Workload};
use wb_statistics::{Band, Comparison, Estimate, Grade, grade};

use super::{Base, Flag, Group, Item, Level, Operation, Row, Trust, Withheld};

/// Efficiency from which a program that is not graded by bands is shown green, and from which yellow.
const GREEN_EFFICIENCY: f64 = 0.80;
const YELLOW_EFFICIENCY: f64 = 0.50;
/// From this size on bandwidth, not latency, decides.
const LARGE_MESSAGE: u64 = 64 << 10;

/// The traffic light.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Light {
    Green,
    Yellow,
    Red,
}

/// What the report says first.
pub(crate) struct Verdict {
    pub(crate) light: Light,
    pub(crate) headline: Headline,
    pub(crate) advice: Vec<Advice>,
}

/// The finding itself.
pub(crate) enum Headline {
    /// A task with a speed-up.
    Scaling(Box<Graded>),
    /// A communication assignment: sizes at which the student is slower, as fast, faster.
    Communication { call: String, slower: usize, equal: usize, faster: usize },
    /// A communication assignment of which no ratio may be stated.
    CommunicationWithheld(Withheld),
    /// Nothing can be graded, for this reason.
    Nothing(Withheld),
    /// Functional tests only.
    Functional { passed: usize, of: usize },
}

/// The numbers of the graded row.
pub(crate) struct Graded {
    pub(crate) workload: Workload,
    pub(crate) mode: Mode,
    pub(crate) ranks: u32,
    pub(crate) base: Base,
    pub(crate) speedup: Estimate,
    pub(crate) efficiency: Estimate,
    /// By the bands in force; `None` if performance is not graded.
    pub(crate) grade: Option<Grade>,
    pub(crate) points: Option<f64>,
    /// The efficiency of `run` alone, where `pipeline` decides because they disagree.
    pub(crate) overruled: Option<f64>,
    /// Whether full points were lowered because the program may be no faster than the sequential one.
    pub(crate) is_lowered: bool,
}

/// What to try next.
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
    groups: &[Group],
    operations: &[Operation],
    functional: &[&Functional],
    plan: Option<&Plan>,
    trust: &Trust,
    ceiling: &BTreeMap<u32, Estimate>,
) -> Verdict {
    let failed = functional
        .iter()
        .filter(|f| !matches!(f.verdict, wb_record::Verdict::Pass | wb_record::Verdict::Skip));
    let failed = failed.count();
    let (headline, light, mut advice) = if !operations.is_empty() {
        of_operations(operations)
    } else if let Some(graded) = graded(groups, plan, trust) {
        of_graded(graded, groups, ceiling, trust)
    } else if groups.is_empty() {
        let passed = functional.iter().filter(|f| f.verdict == wb_record::Verdict::Pass).count();
        let light = if failed > 0 || passed == 0 { Light::Red } else { Light::Green };
        (Headline::Functional { passed, of: functional.len() }, light, Vec::new())
    } else {
        let reason = reason(groups);
        (Headline::Nothing(reason), Light::Red, of_withheld(reason, groups, trust))
    };
    if failed > 0 {
        advice.insert(0, Advice::FixFailures);
    }
    for more in of_trust(trust) {
        if !advice.contains(&more) {
            advice.push(more);
        }
    }
    if advice.is_empty() {
        advice.push(Advice::WriteAnalysis);
    }
    let worst = match trust.level() {
        Level::Bad => Light::Red,
        Level::Doubtful => Light::Yellow,
        Level::Good => Light::Green,
    };
    let light = light.max(worst).max(if failed > 0 { Light::Red } else { Light::Green });
    Verdict { light, headline, advice }
}

/// The graded row: the plan's rank count, or the largest that has an efficiency; `task_run` before `pipeline`; the
/// largest workload.
fn graded(groups: &[Group], plan: Option<&Plan>, trust: &Trust) -> Option<Graded> {
    let wanted = plan.and_then(|plan| plan.graded_ranks);
    let mut candidates: Vec<(&Group, &Row)> = groups
        .iter()
        .flat_map(|group| group.parallel().map(move |row| (group, row)))
        .filter(|(_, row)| matches!(row.efficiency, Some(Ok(_))) && row.series.ranks > 1)
        .filter(|(_, row)| wanted.is_none_or(|ranks| row.series.ranks == ranks))
        .collect();
    candidates.sort_by_key(|(group, row)| {
        (group.mode, std::cmp::Reverse(row.series.ranks), std::cmp::Reverse(group.workload.size))
    });
    let first = *candidates.first()?;
    let deciding = pipeline(first, &candidates, plan);
    let (group, row) = deciding.unwrap_or(first);
    let (speedup, efficiency) = (row.speedup.ok()?, row.efficiency?.ok()?);
    let bands: Vec<Band> = plan.map_or(&[][..], |plan| &plan.bands).iter().map(band).collect();
    let is_gradable = !bands.is_empty() && !row.has(Flag::Superlinear) && !trust.withholds_points();
    let earned = is_gradable.then(|| grade(&bands, &efficiency));
    let grade = earned.map(|earned| lowered(earned, &speedup, &bands));
    Some(Graded {
        workload: group.workload.clone(),
        mode: group.mode,
        ranks: row.series.ranks,
        base: group.base?,
        speedup,
        efficiency,
        is_lowered: earned != grade,
        grade,
        points: plan.and_then(|plan| plan.performance_points),
        overruled: deciding.and_then(|_| Some(first.1.efficiency?.ok()?.value)),
    })
}

/// The row of the whole pipeline, if it disagrees with the one of `run` by more than the course allows.
fn pipeline<'a>(
    (group, row): (&Group, &Row),
    candidates: &[(&'a Group, &'a Row)],
    plan: Option<&Plan>,
) -> Option<(&'a Group, &'a Row)> {
    let efficiency = |row: &Row| Some(row.efficiency?.ok()?.value);
    let least = plan?.pipeline_decides_below? * efficiency(row)?;
    let of_whole = |(other, whole): &&(&Group, &Row)| {
        other.mode == Mode::Pipeline
            && other.workload == group.workload
            && whole.series.ranks == row.series.ranks
    };
    let whole = candidates.iter().find(of_whole).filter(|_| group.mode == Mode::TaskRun)?;
    efficiency(whole.1).filter(|efficiency| *efficiency < least).map(|_| *whole)
}

/// Full points are for a program that is faster than the sequential one beyond doubt: an efficiency of 50 % on two ranks is
/// no speed-up.
fn lowered(grade: Grade, speedup: &Estimate, bands: &[Band]) -> Grade {
    if grade.share < 1.0 || speedup.interval.is_some_and(|interval| interval.lo > 1.0) {
        return grade;
    }
    let below = bands.iter().map(|band| band.share).filter(|share| *share < 1.0);
    Grade { share: below.max_by(f64::total_cmp).unwrap_or(0.0), ..grade }
}

fn band(band: &wb_record::Band) -> Band {
    Band { least_efficiency: band.least_efficiency, share: band.share }
}

/// The gravest reason why no parallel row has an efficiency.
fn reason(groups: &[Group]) -> Withheld {
    let reasons: Vec<Withheld> = groups
        .iter()
        .flat_map(Group::parallel)
        .filter(|row| row.series.ranks > 1)
        .filter_map(|row| row.speedup.err())
        .collect();
    let order = [Withheld::Incorrect, Withheld::TooShort, Withheld::NoBase, Withheld::Oversubscribed];
    order.into_iter().find(|reason| reasons.contains(reason)).unwrap_or(Withheld::NoTime)
}

fn of_withheld(reason: Withheld, groups: &[Group], trust: &Trust) -> Vec<Advice> {
    match reason {
        Withheld::Incorrect => vec![Advice::FixResult],
        Withheld::TooShort => vec![Advice::BiggerInput],
        Withheld::Oversubscribed => fewer_ranks(trust).into_iter().collect(),
        Withheld::NoBase | Withheld::NoTime | Withheld::NoCounterpart => vec![of_absent(reason, groups)],
    }
}

/// What to do about a time that is not there: its series failed, was switched off, or was never asked for.
fn of_absent(reason: Withheld, groups: &[Group]) -> Advice {
    let rows = groups.iter().flat_map(|group| &group.rows);
    let is_absent = |row: &&Row| match reason {
        Withheld::NoBase => row.series.ranks == 1,
        _ => row.series.version == Version::Mpi && row.series.ranks > 1,
    };
    let failures: Vec<_> = rows.filter(is_absent).map(|row| row.failure.as_ref()).collect();
    if failures.iter().any(|failure| failure.is_some_and(|why| *why != Failure::Disabled)) {
        Advice::FixFailures
    } else if failures.iter().any(Option::is_some) || reason == Withheld::NoBase {
        Advice::EnableVersion
    } else {
        Advice::MoreRanks
    }
}

fn fewer_ranks(trust: &Trust) -> Option<Advice> {
    trust.items.iter().find_map(|(_, item)| match item {
        Item::Ranks { most, usable } if most > usable => Some(Advice::FewerRanks(*usable)),
        _ => None,
    })
}

fn of_graded(
    graded: Graded,
    groups: &[Group],
    ceiling: &BTreeMap<u32, Estimate>,
    trust: &Trust,
) -> (Headline, Light, Vec<Advice>) {
    let mut advice = Vec::new();
    let efficiency = graded.efficiency.value;
    let row_of = |mode: Mode| {
        let group = groups.iter().find(|g| g.workload == graded.workload && g.mode == mode)?;
        group.parallel().find(|row| row.series.ranks == graded.ranks)
    };
    if wb_statistics::is_superlinear(&graded.efficiency) {
        advice.push(Advice::RecheckBase);
    }
    if graded.grade.is_some_and(|grade| !grade.certain) {
        advice.push(Advice::MoreLaunches);
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
    let pipeline = row_of(Mode::Pipeline).and_then(|row| row.efficiency?.ok());
    if let Some(whole) =
        pipeline.filter(|whole| graded.mode == Mode::TaskRun && whole.value < 0.8 * efficiency)
    {
        advice.push(Advice::Distribution(whole.value));
    }
    let light = match graded.grade {
        Some(grade) if grade.share >= 1.0 && grade.certain => Light::Green,
        Some(grade) if grade.share > 0.0 => Light::Yellow,
        Some(_) => Light::Red,
        None if efficiency >= GREEN_EFFICIENCY => Light::Green,
        None if efficiency >= YELLOW_EFFICIENCY => Light::Yellow,
        None => Light::Red,
    };
    (Headline::Scaling(Box::new(graded)), light, advice)
}

fn of_operations(operations: &[Operation]) -> (Headline, Light, Vec<Advice>) {
    if !operations.iter().all(Operation::is_correct) {
        return (Headline::CommunicationWithheld(Withheld::Incorrect), Light::Red, vec![Advice::FixResult]);
    }
    let points = || operations.iter().filter(|o| !o.oversubscribed).flat_map(|o| &o.points);
    if points().next().is_none() {
        return (Headline::CommunicationWithheld(Withheld::Oversubscribed), Light::Red, Vec::new());
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
    let counts_differ = operations.iter().flat_map(|o| &o.points).any(|p| p.as_formula == Some(false));
    if counts_differ {
        advice.push(Advice::Counts);
    }
    let headline = Headline::Communication {
        call: operations[0].library_call.clone(),
        slower: slower.len(),
        equal: points().filter(is(Comparison::Indistinguishable)).count(),
        faster: points().filter(is(Comparison::Less)).count(),
    };
    let light = match () {
        () if counts_differ => Light::Red,
        () if slower.is_empty() => Light::Green,
        () => Light::Yellow,
    };
    (headline, light, advice)
}

/// Advice that follows from the facts in the trust box.
fn of_trust(trust: &Trust) -> Vec<Advice> {
    let mut advice = Vec::new();
    for (level, item) in trust.items.iter().filter(|(level, _)| *level > Level::Good) {
        advice.push(match item {
            Item::Backend(_) => Advice::InstallMpi,
            Item::MixedConditions => Advice::MeasureAgain,
            Item::Build { .. } if *level == Level::Bad => Advice::ReleaseBuild,
            Item::Drift(Some(_)) | Item::Disturbed { .. } | Item::Load { .. } => Advice::CalmerMachine,
            Item::Converged { .. } => Advice::CalmerMachine,
            Item::Sampling { .. } => Advice::MoreLaunches,
            Item::Untested => Advice::RunTests,
            Item::Tests { .. } => Advice::FixFailures,
            Item::Alone { .. } => Advice::ShareTheWork,
            Item::Waits(_) => Advice::RecheckBase,
            Item::AboveCeiling => Advice::AboveCeiling,
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
