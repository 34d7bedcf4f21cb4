//! `report.md`: the targets and every form of every barrier.
use std::fmt::Write as _;

use wb_messages::{Lang, report::barriers as text};

use super::{
    analysis::{BarrierAnalysis, BarrierRow, RowOutcome},
    hosts, targets, terminal,
};
use crate::{format, text_layout::table_row};

/// The whole document.
pub(super) fn document(analysis: &BarrierAnalysis<'_>, lang: Lang) -> String {
    let mut out = format!("# {}\n\n{}\n\n", text::title(lang), terminal::lead(analysis, lang));
    for warning in terminal::warning(analysis, lang) {
        let _ = writeln!(out, "**{warning}**\n");
    }
    targets_table(&mut out, analysis, lang);
    for ranks in analysis.sizes() {
        let _ = writeln!(
            out,
            "## {}\n\n{}\n",
            text::at_ranks(lang, ranks),
            terminal::cores(analysis, ranks, lang)
        );
        hosts::lines(analysis, ranks, lang).iter().for_each(|about| {
            let _ = writeln!(out, "{about}\n");
        });
        let charts = [("latency", text::chart_latency(lang, ranks)), ("skew", text::chart_skew(lang, ranks))];
        for (name, title) in charts {
            let _ = writeln!(out, "![{title}]({name}-{ranks}.svg)\n");
        }
        forms(&mut out, analysis, ranks, lang);
    }
    let _ = writeln!(out, "{}\n", text::ratio_about(lang));
    let (launches, rounds) = (analysis.run.launches, analysis.run.rounds);
    let _ = writeln!(out, "## {}\n\n{}\n", text::method_heading(lang), text::method(lang, launches, rounds));
    let _ = writeln!(out, "{}", machine(analysis, lang));
    out
}

/// Everything about the machine in a line.
pub(super) fn machine(analysis: &BarrierAnalysis<'_>, lang: Lang) -> String {
    let environment = &analysis.run.environment;
    let library = analysis.library().unwrap_or_else(format::dash);
    let build = &environment.build;
    text::machine(
        lang,
        &environment.machine.cpu,
        analysis.cores(),
        library,
        &build.rustc,
        &build.profile,
        environment.seed,
    )
}

fn targets_table(out: &mut String, analysis: &BarrierAnalysis<'_>, lang: Lang) {
    let targets = targets::targets(analysis);
    if targets.is_empty() {
        return;
    }
    let _ = writeln!(out, "## {}\n", text::targets(lang));
    head(out, &[text::target(lang), text::wanted(lang), text::measured(lang), text::verdict(lang)]);
    for target in targets {
        let measured = target.value.as_ref().map_or_else(format::dash, |x| format::ratio_estimate(lang, x));
        line(out, &[target.title(lang), target.bound_text(lang), measured, target.verdict(lang)]);
    }
    out.push('\n');
}

fn forms(out: &mut String, analysis: &BarrierAnalysis<'_>, ranks: usize, lang: Lang) {
    let mut names = vec![
        text::barrier(lang),
        text::runs_on(lang),
        text::episode(lang),
        text::latency(lang),
        text::skew(lang),
        text::ratio(lang),
    ];
    let has_messages = hosts::are_several(analysis, ranks);
    names.extend(has_messages.then(|| hosts::headers(lang)).into_iter().flatten());
    head(out, &names);
    for row in analysis.rows_at(ranks) {
        let messages = has_messages.then(|| hosts::messages(row)).into_iter().flatten();
        line(out, &cells(row, lang).into_iter().chain(messages).collect::<Vec<_>>());
    }
    out.push('\n');
}

/// One row of the table of all forms.
pub(super) fn cells(row: &BarrierRow<'_>, lang: Lang) -> [String; 6] {
    let empty = format::dash;
    let without_figures =
        |outcome: String| [row.name(), row.carrier_label(), outcome, empty(), empty(), empty()];
    match &row.outcome {
        RowOutcome::Measured(figures) => [
            row.name(),
            row.carrier_label(),
            format::time_estimate(lang, &figures.episode.median),
            terminal::latency(figures, lang),
            figures.skew.map_or_else(empty, |ns| format::time(lang, ns)),
            terminal::ratio(figures, lang),
        ],
        RowOutcome::Refused(reason) => without_figures((*reason).to_owned()),
        RowOutcome::Failed(reason) => without_figures(format!("{}: {reason}", text::failed_heading(lang))),
    }
}

fn head(out: &mut String, names: &[String]) {
    line(out, names);
    let _ = writeln!(out, "|{}", "---|".repeat(names.len()));
}

fn line(out: &mut String, cells: &[String]) {
    out.push_str(&table_row(cells));
}
