//! Findings as sentences and cells: the only bridge from the analysis to the table of messages.

use wb_messages::{
    Lang,
    report::{document, result, trust, verdict},
};
use wb_record::{SeriesFailure, Subject, Version, statistics::Comparison};

use crate::{
    analysis::{
        Advice, BaseTime, CheckCounts, Flag, GradedRow, Headline, HostFact, HostLayout, ReportStatus,
        ResultRow, TaskAnalysis, TrustItem, Withheld, WorkloadGroup,
    },
    format,
};

/// The subject of the task.
pub(crate) fn title(lang: Lang, subject: &Subject) -> &str {
    subject.title.in_language(lang)
}

/// The sentences of the verdict, the headline first.
pub(crate) fn verdict_sentences(lang: Lang, analysis: &TaskAnalysis<'_>) -> Vec<String> {
    match &analysis.verdict.headline {
        Headline::Scaling(graded) => scaling(lang, analysis, graded),
        Headline::Communication { call, slower, equal, faster } => {
            vec![verdict::communication(lang, call, faster, equal, slower), verdict::no_speedup(lang)]
        }
        Headline::CommunicationWithheld(reason) => {
            vec![withheld_headline(lang, *reason), verdict::no_speedup(lang)]
        }
        Headline::Nothing(reason) => vec![withheld_headline(lang, *reason)],
        Headline::Functional { passed, total: of } => vec![verdict::functional(lang, passed, of)],
    }
}

fn scaling(lang: Lang, analysis: &TaskAnalysis<'_>, graded: &GradedRow) -> Vec<String> {
    let speedup = format::ratio(lang, graded.speedup.value);
    let interval = graded.speedup.interval.map_or_else(
        || verdict::no_interval(lang),
        |i| verdict::interval(lang, format::ratio(lang, i.lo), format::ratio(lang, i.hi)),
    );
    let workload = format::workload(lang, &graded.workload);
    let holds_one = graded.speedup.interval.is_some_and(|interval| interval.lo <= 1.0 && 1.0 <= interval.hi);
    let sentence = match graded.speedup.value {
        _ if holds_one => verdict::scaling_equal,
        faster if faster >= 1.0 => verdict::scaling,
        _ => verdict::scaling_slower,
    };
    let mut sentences = vec![
        sentence(lang, graded.ranks, speedup, interval, graded.mode.name(), workload),
        verdict::efficiency(lang, efficiency_formula(lang, graded)),
        base_sentence(lang, &graded.base),
    ];
    sentences.extend(graded.overruled_efficiency.map(|alone| {
        let allowed = analysis.plan.and_then(|plan| plan.pipeline_decides_below).unwrap_or_default();
        verdict::pipeline_decides(lang, format::percent(lang, alone), format::short_percent(lang, allowed))
    }));
    if let Some(formula) = points_formula(lang, analysis, graded) {
        sentences.push(verdict::points(lang, formula));
    }
    if analysis.trust.level() == crate::analysis::TrustLevel::Bad {
        sentences.push(verdict::not_gradable(lang));
    }
    sentences
}

fn efficiency_formula(lang: Lang, graded: &GradedRow) -> String {
    let (s, e) = (format::ratio(lang, graded.speedup.value), format::percent(lang, graded.efficiency.value));
    format!("E = S/p = {s}/{} = {e}", graded.ranks)
}

fn base_sentence(lang: Lang, base: &BaseTime) -> String {
    verdict::base(lang, base_version(lang, base), format::time(lang, base.time.median.value))
}

/// `E >= 50 % → 100 % × 5 = 5`, with `±` where the interval touches two bands.
pub(crate) fn points_formula(lang: Lang, analysis: &TaskAnalysis<'_>, graded: &GradedRow) -> Option<String> {
    let (grade, plan) = (graded.grade?, analysis.plan?);
    let band = plan.bands.iter().filter(|band| band.share == grade.share);
    let least = band.map(|band| band.least_efficiency).min_by(f64::total_cmp);
    let condition = match least {
        _ if graded.is_lowered => result::not_faster(lang),
        None => result::below_bands(lang),
        Some(least) => format!("E ≥ {}", format::short_percent(lang, least)),
    };
    let share = format::short_percent(lang, grade.share);
    let earned = graded.points.map_or_else(
        || share.clone(),
        |points| {
            format!(
                "{share} × {} = {}",
                format::trimmed(lang, points),
                format::trimmed(lang, grade.share * points)
            )
        },
    );
    // A missing interval is in the sentence above.
    let straddles = !grade.is_certain && graded.efficiency.interval.is_some();
    let mark = match straddles && !graded.is_lowered {
        true => format!(" ({})", result::interval_spans_bands(lang)),
        false => String::new(),
    };
    Some(format!("{condition} → {earned}{mark}"))
}

fn withheld_headline(lang: Lang, reason: Withheld) -> String {
    match reason {
        Withheld::Incorrect => verdict::nothing_incorrect(lang),
        Withheld::TooShort => verdict::nothing_too_short(lang),
        Withheld::Oversubscribed => verdict::nothing_oversubscribed(lang),
        Withheld::NoBase => verdict::nothing_no_base(lang),
        Withheld::NoTime => verdict::nothing_no_time(lang),
        Withheld::NoCounterpart => verdict::no_speedup(lang),
    }
}

/// The text of an advice.
pub(crate) fn advice(lang: Lang, advice: Advice) -> String {
    match advice {
        Advice::FixResult => verdict::fix_result(lang),
        Advice::FixFailures => verdict::fix_failures(lang),
        Advice::MoreRanks => verdict::more_ranks(lang),
        Advice::EnableVersion => verdict::enable_version(lang),
        Advice::InstallMpi => verdict::install_mpi(lang),
        Advice::FewerRanks(usable) => verdict::fewer_ranks(lang, usable),
        Advice::BiggerInput => verdict::bigger_input(lang),
        Advice::CalmerMachine => verdict::calmer_machine(lang),
        Advice::FinalRun => verdict::final_run(lang),
        Advice::MoreLaunches => verdict::more_launches(lang),
        Advice::RecheckBase => verdict::recheck_base(lang),
        Advice::ReleaseBuild => verdict::release_build(lang),
        Advice::ShareTheWork => verdict::share_the_work(lang),
        Advice::AboveCeiling => verdict::above_ceiling(lang),
        Advice::RunTests => verdict::run_tests(lang),
        Advice::MachineLimits(share) => verdict::machine_limits(lang, format::percent(lang, share)),
        Advice::Distribution(efficiency) => verdict::distribution(lang, format::percent(lang, efficiency)),
        Advice::Overhead(share) => verdict::overhead(lang, format::percent(lang, share)),
        Advice::SmallMessages => verdict::small_messages(lang),
        Advice::LargeMessages => verdict::large_messages(lang),
        Advice::Counts => verdict::counts(lang),
        Advice::MeasureAgain => verdict::measure_again(lang),
        Advice::WriteAnalysis => verdict::write_analysis(lang),
    }
}

/// The status as text, for people who do not see colours.
pub(crate) fn status_label(lang: Lang, status: ReportStatus) -> String {
    match status {
        ReportStatus::Green => document::status_green(lang),
        ReportStatus::Yellow => document::status_yellow(lang),
        ReportStatus::Red => document::status_red(lang),
    }
}

/// One line of the trust box.
pub(crate) fn item(lang: Lang, analysis: &TaskAnalysis<'_>, item: &TrustItem) -> String {
    match item {
        TrustItem::Backend(wb_record::Backend::Threads) => trust::embedded(lang),
        TrustItem::Backend(wb_record::Backend::VirtualTime) => trust::virtual_time(lang),
        TrustItem::Backend(wb_record::Backend::Mpi) => trust::real_mpi(lang, library(lang, analysis)),
        TrustItem::MixedConditions => trust::mixed(lang),
        TrustItem::Ranks { max: most, usable } if most > usable => trust::ranks_above(lang, most, usable),
        TrustItem::Ranks { max: most, usable } => trust::ranks(lang, most, usable),
        TrustItem::Sampling { launches, samples, quick: true } => {
            trust::sampling_quick(lang, launches, samples)
        }
        TrustItem::Sampling { launches, samples, quick: false } => trust::sampling(lang, launches, samples),
        TrustItem::Converged { converged, total: of } if converged == of => {
            trust::converged(lang, converged, of)
        }
        TrustItem::Converged { converged, total: of } => trust::not_converged(
            lang,
            converged,
            of,
            format::short_percent(lang, analysis.target_half_width()),
        ),
        TrustItem::Checked(CheckCounts { right, wrong: 0, unchecked: 0 }) => trust::checked(lang, right),
        TrustItem::Checked(CheckCounts { right, wrong, unchecked }) => {
            trust::checked_with(lang, right, wrong, unchecked)
        }
        TrustItem::CheckedSizes { right, total: of } => trust::checked_sizes(lang, right, of),
        TrustItem::Drift(Some(drift)) => trust::drift(lang, format::percent(lang, *drift)),
        TrustItem::Drift(None) => trust::drift_unknown(lang),
        TrustItem::Disturbed { disturbed: 0, total: of } => trust::undisturbed(lang, of),
        TrustItem::Disturbed { disturbed, total: of } => trust::disturbed(lang, disturbed, of),
        TrustItem::Short { short: 0, total: of } => trust::long_enough(lang, of),
        TrustItem::Short { short, total: of } => trust::short_repetitions(lang, short, of),
        TrustItem::Build { opt_level, dirty: false } => trust::build(lang, opt_level),
        TrustItem::Build { opt_level, dirty: true } => trust::build_dirty(lang, opt_level),
        TrustItem::Tests { passed, failed } => trust::tests(lang, passed, failed),
        TrustItem::Untested => trust::untested(lang),
        TrustItem::SingleWorker { rank, share, ranks } => {
            trust::single_worker(lang, rank, format::percent(lang, *share), ranks)
        }
        TrustItem::SharedWork { share, ranks } => {
            trust::shared_work(lang, ranks, format::percent(lang, *share))
        }
        TrustItem::Waits(of) => trust::waits(lang, version(lang, *of)),
        TrustItem::AboveCeiling => trust::above_ceiling(lang),
        TrustItem::FreshInputs(true) => trust::fresh_inputs(lang),
        TrustItem::FreshInputs(false) => trust::same_input(lang),
        TrustItem::Hosts(fact) => host_fact(lang, fact),
        TrustItem::Load { load, cores } => trust::load(lang, format::ratio(lang, *load), cores),
    }
}

/// Where ranks ran.
fn host_fact(lang: Lang, fact: &HostFact) -> String {
    match fact {
        HostFact::Layouts(layouts) => {
            let each: Vec<_> = layouts.iter().map(|layout| host_layout(lang, layout)).collect();
            trust::hosts(lang, each.join("; "))
        }
        HostFact::Clocks { uncertainty_ns, step_ns, local } => {
            let mut parts = vec![trust::clocks(lang, format::time(lang, *uncertainty_ns))];
            parts.extend((*step_ns > 0.0).then(|| trust::clock_step(lang, format::time(lang, *step_ns))));
            parts.extend((*local > 0).then(|| trust::local_clocks(lang, local)));
            parts.join("; ")
        }
        HostFact::Different(sets) => trust::different_hosts(lang, sets.join("; ")),
    }
}

/// Nodes x ranks per node.
fn host_layout(lang: Lang, layout: &HostLayout) -> String {
    let HostLayout { ranks, hosts, least, most } = layout;
    let per_host = if least == most { most.to_string() } else { format!("{least}-{most}") };
    trust::host_layout(lang, ranks, hosts, per_host)
}

/// `Open MPI 4.1.4`, or the embedded backend by its full name.
pub(crate) fn library(lang: Lang, analysis: &TaskAnalysis<'_>) -> String {
    if analysis.is_embedded() {
        return document::technology_threads(lang);
    }
    let passing = &analysis.environment.message_passing;
    let named: Vec<&str> =
        [&passing.library, &passing.version].into_iter().flatten().map(String::as_str).collect();
    if named.is_empty() { document::technology_mpi(lang) } else { named.join(" ") }
}

/// The version of a row.
pub(crate) fn version(lang: Lang, version: Version) -> String {
    match version {
        Version::Seq => result::seq(lang),
        Version::Reference => result::reference(lang),
        Version::Mpi => result::mpi(lang),
    }
}

/// The version of a base: a parallel program can be one, on a single rank.
pub(crate) fn base_version(lang: Lang, base: &BaseTime) -> String {
    if base.version == Version::Mpi { result::mpi_alone(lang) } else { version(lang, base.version) }
}

/// The cell of a number that must not be stated.
pub(crate) fn withheld(lang: Lang, reason: Withheld) -> String {
    match reason {
        Withheld::Oversubscribed => result::oversubscribed(lang),
        Withheld::TooShort => result::too_short(lang),
        Withheld::Incorrect => result::incorrect(lang),
        Withheld::NoBase => result::no_base(lang),
        Withheld::NoTime => result::no_time(lang),
        Withheld::NoCounterpart => result::no_counterpart(lang),
    }
}

/// The remarks of a row, in order of gravity.
pub(crate) fn remarks(lang: Lang, row: &ResultRow) -> Vec<String> {
    row.flags.iter().map(|flag| remark(lang, row, *flag)).collect()
}

pub(crate) fn remark(lang: Lang, row: &ResultRow, flag: Flag) -> String {
    match flag {
        Flag::Incorrect => result::flag_incorrect(lang),
        Flag::Unchecked => result::flag_unchecked(lang),
        Flag::Oversubscribed => result::flag_oversubscribed(lang),
        Flag::TooShort => result::flag_too_short(lang, format::time(lang, row.required_ns)),
        Flag::Failed => result::flag_failed(lang, failure(lang, row.failure.as_ref())),
        Flag::Superlinear => result::flag_superlinear(lang),
        Flag::AboveCeiling => result::flag_above_ceiling(lang),
        Flag::Waits => result::flag_waits(lang),
        Flag::NotConverged => row.half_width.map_or_else(
            || result::flag_not_converged(lang),
            |half| result::flag_not_converged_at(lang, format::percent(lang, half)),
        ),
        Flag::Drift => result::flag_drift(lang, format::percent(lang, row.drift.unwrap_or(0.0))),
        Flag::Noisy => result::flag_noisy(lang),
        Flag::Disturbed => result::flag_disturbed(lang),
        Flag::OtherHosts => {
            let hosts: Vec<&str> = row.hosts.iter().map(String::as_str).collect();
            result::flag_hosts(lang, hosts.join(", "))
        }
    }
}

/// The reason why a series has no usable time.
pub(crate) fn failure(lang: Lang, failure: Option<&SeriesFailure>) -> String {
    match failure {
        Some(SeriesFailure::Limit { limit_s }) => {
            result::reason_limit(lang, format::time(lang, limit_s * 1e9))
        }
        Some(SeriesFailure::Crashed { reason } | SeriesFailure::Incorrect { reason }) => reason.clone(),
        Some(SeriesFailure::Disabled) => result::reason_disabled(lang),
        Some(SeriesFailure::TooShort { .. }) => result::too_short(lang),
        None => result::reason_unknown(lang),
    }
}

/// How a size of a communication assignment compares with the library.
pub(crate) fn comparison(lang: Lang, comparison: Comparison) -> String {
    use wb_messages::report::communication;
    match comparison {
        Comparison::Less => communication::faster(lang),
        Comparison::Indistinguishable => communication::equal(lang),
        Comparison::Greater => communication::slower(lang),
    }
}

/// The base of a group with its absolute time, or that there is none.
pub(crate) fn base_line(lang: Lang, group: &WorkloadGroup) -> String {
    group.base.map_or_else(
        || match group.rows.first().map(|row| row.speedup) {
            Some(Err(Withheld::NoCounterpart)) => verdict::no_speedup(lang),
            _ => document::no_base_line(lang),
        },
        |base| {
            let time = &base.time;
            document::base_line(
                lang,
                base_version(lang, &base),
                format::time(lang, time.median.value),
                format::time_interval(lang, &time.median),
                time.n,
                base.launches,
            )
        },
    )
}
