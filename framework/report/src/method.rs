//! The twelve rules of Hoefler and Belli, and whether this report keeps each: computed from the records, not claimed.

use wb_messages::Lang;
use wb_messages::report::method;

use crate::analysis::{Headline, TaskAnalysis, WorkloadGroup};
use crate::{format, labels};

/// The state of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleStatus {
    Yes,
    /// The records lack the data that the rule requires.
    No,
    /// The rule applies to nothing in this report.
    Empty,
}

pub(crate) struct ReportRule {
    pub(crate) status: RuleStatus,
    pub(crate) text: String,
}

/// The rules, in the order of the paper.
pub(crate) fn rules(lang: Lang, analysis: &TaskAnalysis<'_>) -> Vec<ReportRule> {
    let clock = &analysis.environment.clock;
    let timed = if has_times(analysis) { RuleStatus::Yes } else { RuleStatus::Empty };
    let fixed = |text: String| ReportRule { status: timed, text };
    vec![
        base(lang, analysis),
        subset(lang, analysis),
        fixed(method::rule_means(lang)),
        fixed(method::rule_ratios(lang)),
        ReportRule { status: intervals(analysis), text: method::rule_intervals(lang) },
        fixed(method::rule_normality(lang)),
        fixed(method::rule_comparison(lang)),
        fixed(method::rule_centre(lang)),
        ReportRule { status: factors(analysis), text: method::rule_factors(lang) },
        fixed(method::rule_timing(lang, format::time(lang, clock.resolution_ns))),
        bounds(lang, analysis),
        fixed(method::rule_lines(lang)),
    ]
}

/// The state of a rule in one word.
pub(crate) fn status_label(lang: Lang, kept: RuleStatus) -> String {
    match kept {
        RuleStatus::Yes => method::rule_kept(lang),
        RuleStatus::No => method::rule_not_kept(lang),
        RuleStatus::Empty => method::not_applicable(lang),
    }
}

fn has_times(analysis: &TaskAnalysis<'_>) -> bool {
    !matches!(analysis.verdict.headline, Headline::Functional { .. })
}

fn status_if(analysis: &TaskAnalysis<'_>, holds: bool) -> RuleStatus {
    match (has_times(analysis), holds) {
        (false, _) => RuleStatus::Empty,
        (true, true) => RuleStatus::Yes,
        (true, false) => RuleStatus::No,
    }
}

fn base(lang: Lang, analysis: &TaskAnalysis<'_>) -> ReportRule {
    if let Some(operation) = analysis.operations.first() {
        let text = method::rule_base(lang, method::base_of_operation(lang, &operation.library_call));
        return ReportRule { status: RuleStatus::Yes, text };
    }
    let named = |group: &WorkloadGroup| {
        let base = group.base?;
        let time = format::time(lang, base.time.median.value);
        Some(format!(
            "{} {} {} ({})",
            group.workload.name,
            group.mode.name(),
            time,
            labels::base_version(lang, &base)
        ))
    };
    let bases: Vec<String> = analysis.groups.iter().filter_map(named).collect();
    let complete = !bases.is_empty() && bases.len() == analysis.groups.len();
    let base = if bases.is_empty() { method::base_missing(lang) } else { format!("{}.", bases.join("; ")) };
    ReportRule { status: status_if(analysis, complete), text: method::rule_base(lang, base) }
}

fn subset(lang: Lang, analysis: &TaskAnalysis<'_>) -> ReportRule {
    let choice = analysis.plan.map(|plan| {
        let ranks = plan.ranks.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        wb_messages::report::document::plan(lang, ranks, &plan.ranks_chosen_by)
    });
    let kept = status_if(analysis, choice.is_some());
    ReportRule {
        status: kept,
        text: method::rule_subset(lang, choice.unwrap_or_else(|| method::subset_unknown(lang))),
    }
}

/// Every median that is shown has an interval.
fn intervals(analysis: &TaskAnalysis<'_>) -> RuleStatus {
    let rows = analysis.groups.iter().flat_map(|g| &g.rows).filter_map(|row| row.time);
    let points = analysis.operations.iter().flat_map(|o| &o.points);
    let sides = points.flat_map(|p| [p.student.time, p.library.time]);
    status_if(analysis, rows.chain(sides).all(|time| time.median.interval.is_some()))
}

/// The factors that change a time most are known: compiler, optimisation, commit and library.
fn factors(analysis: &TaskAnalysis<'_>) -> RuleStatus {
    let (build, passing) = (&analysis.environment.build, &analysis.environment.message_passing);
    let library = analysis.is_embedded() || (passing.library.is_some() && passing.version.is_some());
    if build.commit.is_some() && !build.rustc.is_empty() && library {
        RuleStatus::Yes
    } else {
        RuleStatus::No
    }
}

fn bounds(lang: Lang, analysis: &TaskAnalysis<'_>) -> ReportRule {
    if !analysis.operations.is_empty() {
        return ReportRule { status: RuleStatus::Yes, text: method::bounds_of_operation(lang) };
    }
    let complete = !analysis.ceiling.is_empty();
    let text = if complete { method::rule_bounds(lang) } else { method::rule_bounds_missing(lang) };
    ReportRule { status: status_if(analysis, complete), text }
}
