//! P, A and E: the performance, and the numbers that it follows from.
//!
//! A task with a speed-up is graded by the bands of the course, applied to the interval of the efficiency: where an edge lies inside, the
//! better band counts. A communication assignment has no speed-up. Its exact counts of messages and rounds earn one share of the
//! points, its times beside the library's own call the other, size by size.

use wb_config::EfficiencyBandSettings;
use wb_record::statistics::{EfficiencyBand, Estimate, Interval as Bounds};
use wb_text::{Text, grade as text};

use super::{input::GradingInput, letter_sum::LetterSum, rules::CommunicationRule};
use crate::{
    CommunicationEvidence, Evidence, Letter, LetterGrade, PerformanceDoubt, PerformanceEvidence,
    PerformanceGap, Points, ReasonKind, ScalingEvidence,
    task_grade::MeasuredInterval,
    wording::{decimal, percent_interval, shortest},
};

pub(super) fn grade_performance(input: &GradingInput<'_>, evidence: &Evidence, mpi: Points) -> LetterGrade {
    let of = input.rules.points.performance;
    let mut sum = LetterSum::new(Letter::Performance, Some(of));
    if of == Points::ZERO {
        return sum.finish();
    }
    if mpi == Points::ZERO && input.rules.points.mpi > Points::ZERO {
        sum.lose(of, ReasonKind::NoSolution, text::mpi_first(), Some(text::solve_first()));
        return sum.finish();
    }
    match (&evidence.performance, &input.rules.communication) {
        (PerformanceEvidence::Scaling(found), None) => {
            grade_scaling(&mut sum, of, found, &input.rules.bands, &evidence.task);
        }
        (PerformanceEvidence::Communication(found), Some(rule)) => {
            grade_communication(&mut sum, of, found, rule, &evidence.task);
        }
        (PerformanceEvidence::Missing { gap, reason }, _) => {
            let (found, remedy) = describe_gap(*gap, reason.as_ref(), &evidence.task);
            sum.lose(of, ReasonKind::NotMeasured, found, Some(remedy));
        }
        // Measured as a task of the other kind: nothing that this assignment asks for.
        _ => {
            let remedy = text::measure(&evidence.task);
            sum.lose(of, ReasonKind::NotMeasured, text::not_measured(), Some(remedy));
        }
    }
    sum.finish()
}

/// A and E, which earn nothing by themselves.
pub(super) fn measured_letters(evidence: &Evidence) -> (LetterGrade, LetterGrade) {
    let letters = |speedup, efficiency| {
        let sum = LetterSum::measured;
        (sum(Letter::Acceleration, speedup), sum(Letter::Efficiency, efficiency))
    };
    let (mut acceleration, mut efficiency) = match &evidence.performance {
        PerformanceEvidence::Scaling(found) => letters(Some(found.speedup), Some(found.efficiency)),
        _ => letters(None, None),
    };
    let remark = match &evidence.performance {
        PerformanceEvidence::Scaling(found) => text::speedup(found.speedup.ranks, &found.region, &found.base),
        PerformanceEvidence::Communication(_) => text::no_speedup(),
        PerformanceEvidence::Missing { gap, reason } => describe_gap(*gap, reason.as_ref(), &evidence.task).0,
    };
    acceleration.note(ReasonKind::Measurement, remark.clone());
    efficiency.note(ReasonKind::Measurement, remark);
    (acceleration.finish(), efficiency.finish())
}

fn grade_scaling(
    sum: &mut LetterSum,
    of: Points,
    found: &ScalingEvidence,
    bands: &[EfficiencyBandSettings],
    task: &str,
) {
    if withhold(sum, of, &found.doubts, task) {
        return;
    }
    let estimate = |of: &MeasuredInterval| Estimate {
        value: of.value / 100.0,
        interval: found.has_interval.then(|| Bounds { lo: of.low / 100.0, hi: of.high / 100.0 }),
    };
    let shares: Vec<EfficiencyBand> = bands.iter().map(EfficiencyBand::from).collect();
    let graded = wb_record::statistics::grade(&shares, &estimate(&found.efficiency));
    let reached = bands.iter().find(|at| EfficiencyBand::from(*at).share <= graded.share);
    let whole_is_faster = found.pipeline_speedup.as_ref().is_none_or(|speedup| speedup.low > 1.0);
    let is_faster = found.has_interval && found.speedup.low > 1.0 && whole_is_faster;
    let counted = reached.filter(|_| graded.share > 0.0 && is_faster);
    let efficiency = percent_interval(&found.efficiency);
    let percent = counted.map_or(0, |at| at.points_percent);
    let earned = of.percent(percent);
    let (reason, remedy) = match counted {
        _ if !is_faster => (text::not_faster(), Some(text::become_faster())),
        Some(at) => {
            let reason = text::reaches_band(efficiency, at.from_percent, at.points_percent);
            (reason, next_band(bands, percent, of, earned))
        }
        None => (text::below_bands(efficiency), next_band(bands, percent, of, earned)),
    };
    sum.lose(of - earned, ReasonKind::EfficiencyBand, reason, remedy.filter(|_| earned < of));
    match (graded.is_certain, found.has_interval) {
        (true, _) => {}
        (false, true) => {
            let reason = text::straddles(shortest_percent(found.efficiency.value));
            sum.note(ReasonKind::UncertainBand, reason);
        }
        (false, false) => sum.note(ReasonKind::UncertainBand, text::no_interval()),
    }
}

/// The points that the next better band would earn.
fn next_band(bands: &[EfficiencyBandSettings], percent: u8, of: Points, earned: Points) -> Option<Text> {
    let next = bands.iter().rev().find(|band| band.points_percent > percent)?;
    Some(text::next_band(of.percent(next.points_percent) - earned, next.from_percent))
}

fn shortest_percent(percent: f64) -> Text {
    let number = decimal(percent, 1);
    Text { en: format!("{} %", number.en).into(), ru: format!("{} %", number.ru).into() }
}

fn grade_communication(
    sum: &mut LetterSum,
    of: Points,
    found: &CommunicationEvidence,
    rule: &CommunicationRule,
    task: &str,
) {
    if withhold(sum, of, &found.doubts, task) {
        return;
    }
    let for_counts = match found.counted {
        0 => Points::ZERO,
        _ => of.percent(rule.counts_percent),
    };
    let wrong = found.counted.saturating_sub(found.counts_right);
    match (found.counted, wrong) {
        (0, _) => sum.note(ReasonKind::MessageCounts, text::no_formula()),
        (sizes, 0) => sum.note(ReasonKind::MessageCounts, text::counts_right(sizes)),
        (sizes, wrong) => {
            let reason = text::counts_wrong(wrong, sizes);
            sum.lose(for_counts, ReasonKind::MessageCounts, reason, Some(text::follow_formula()));
        }
    }
    let for_times = of - for_counts;
    if found.ratios.is_empty() {
        let remedy = text::measure_on_more_cores();
        sum.lose(for_times, ReasonKind::LibraryTimes, text::no_sizes(), Some(remedy));
        return;
    }
    // The interval's better end counts, as for bands: noise costs nothing.
    let within = found.ratios.iter().filter(|ratio| ratio.low <= rule.library_factor).count();
    let earned = for_times.share(within as f64 / found.ratios.len() as f64);
    let factor = shortest(rule.library_factor);
    let reason = text::within_factor(within, found.ratios.len(), &found.library_call, factor);
    let worst = found.ratios.iter().max_by(|a, b| a.low.total_cmp(&b.low));
    let remedy =
        worst.filter(|_| earned < for_times).map(|worst| text::slowest_size(decimal(worst.value, 2)));
    sum.lose(for_times - earned, ReasonKind::LibraryTimes, reason, remedy);
}

/// Takes all points if the numbers earn nothing; whether it did.
fn withhold(sum: &mut LetterSum, of: Points, doubts: &[PerformanceDoubt], task: &str) -> bool {
    // All of them must be removed, so the first one carries the points.
    let mut left = of;
    for doubt in doubts {
        let (found, remedy) = describe_doubt(*doubt, task);
        sum.lose(left, ReasonKind::DoubtfulNumbers, found, Some(remedy));
        left = Points::ZERO;
    }
    !doubts.is_empty()
}

/// The reasons why the numbers earn no points, each once; empty where they earn some.
pub fn reasons_for_no_points(evidence: &PerformanceEvidence) -> Vec<Text> {
    let doubts = match evidence {
        PerformanceEvidence::Missing { gap, reason } => {
            return vec![describe_gap(*gap, reason.as_ref(), "").0];
        }
        PerformanceEvidence::Scaling(found) => &found.doubts,
        PerformanceEvidence::Communication(found) => &found.doubts,
    };
    doubts.iter().map(|doubt| describe_doubt(*doubt, "").0).collect()
}

fn describe_gap(gap: PerformanceGap, reason: Option<&Text>, task: &str) -> (Text, Text) {
    match gap {
        PerformanceGap::NotMeasured => (text::not_measured(), text::measure(task)),
        PerformanceGap::TooFewCores => (text::too_few_cores(), text::measure_on_more_cores()),
        PerformanceGap::TooShort => (text::too_short(), text::larger_input()),
        PerformanceGap::Incorrect => (text::incorrect(), text::correct(task)),
        PerformanceGap::NoBase => (text::no_base(), text::enable("SEQ")),
        PerformanceGap::NoTime => (text::no_time(), text::measure_again(task)),
        PerformanceGap::Failed => {
            let found = reason.map_or_else(text::measured_run_failed, text::measured_run_failed_by);
            (found, text::repair_measured_run(task))
        }
    }
}

fn describe_doubt(doubt: PerformanceDoubt, task: &str) -> (Text, Text) {
    match doubt {
        PerformanceDoubt::Quick => (text::quick(), text::measure_again(task)),
        PerformanceDoubt::NotMpi => (text::not_mpi(), text::measure_again(task)),
        PerformanceDoubt::Untested => (text::untested(), text::measure_again(task)),
        PerformanceDoubt::SingleWorker => (text::single_worker(), text::share_work()),
        PerformanceDoubt::Waits => (text::waits(), text::remove_wait()),
        PerformanceDoubt::AboveCeiling => (text::above_ceiling(), text::check_base()),
        PerformanceDoubt::Superlinear => (text::superlinear(), text::check_base()),
        PerformanceDoubt::MixedConditions => (text::mixed_conditions(), text::measure_again(task)),
    }
}
