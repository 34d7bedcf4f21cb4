//! The report on a terminal: the targets, the best forms, what failed.
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, presets::UTF8_HORIZONTAL_ONLY};
use wb_messages::{Lang, report::barriers as text};

use super::{
    analysis::{Analysis, Figures, Outcome},
    targets,
};
use crate::format;

/// The whole report.
pub(super) fn text(analysis: &Analysis<'_>, lang: Lang) -> String {
    let mut parts = vec![lead(analysis, lang)];
    parts.extend(warning(analysis, lang));
    for ranks in analysis.sizes() {
        parts.push(format!("\n{}. {}", text::at_ranks(lang, ranks), cores(analysis, ranks, lang)));
        parts.push(best(analysis, ranks, lang).to_string());
        parts.extend(failures(analysis, ranks, lang));
    }
    parts.push(text::best_of_each(lang));
    let targets = targets_table(analysis, lang);
    if targets.row_count() > 0 {
        parts.push(format!("\n{}", text::targets(lang)));
        parts.push(targets.to_string());
    }
    parts.join("\n") + "\n"
}

/// One line about the run.
pub(super) fn lead(analysis: &Analysis<'_>, lang: Lang) -> String {
    let forms = analysis.rows.iter().map(|row| row.form).collect::<std::collections::BTreeSet<_>>().len();
    let ranks: Vec<String> = analysis.run.ranks.iter().map(usize::to_string).collect();
    let library = analysis.library().unwrap_or_else(|| "—".into());
    text::lead(lang, forms, ranks.join(", "), library, &analysis.run.at)
}

/// What makes the figures of no use.
pub(super) fn warning(analysis: &Analysis<'_>, lang: Lang) -> Vec<String> {
    let no_library = analysis.library().is_none().then(|| text::threads_only(lang));
    let release = analysis.run.environment.build.profile == "release";
    no_library.into_iter().chain((!release).then(|| text::not_release(lang))).collect()
}

/// Whether each rank has a core.
pub(super) fn cores(analysis: &Analysis<'_>, ranks: usize, lang: Lang) -> String {
    match analysis.is_oversubscribed(ranks) {
        true => text::oversubscribed(lang, ranks, analysis.cores()),
        false => text::own_cores(lang, ranks, analysis.cores()),
    }
}

fn best(analysis: &Analysis<'_>, ranks: usize, lang: Lang) -> Table {
    let mut table = table(&[
        text::barrier(lang),
        text::runs_on(lang),
        text::episode_short(lang),
        text::latency(lang),
        text::skew_short(lang),
        text::ratio(lang),
    ]);
    for row in analysis.best(ranks) {
        let Some(figures) = row.figures() else { continue };
        let skew = figures.skew.map_or_else(|| "—".into(), |ns| format::time(lang, ns));
        table.add_row([
            row.name(),
            row.runs_on(),
            format::time(lang, figures.episode.median.value),
            latency(figures, lang),
            skew,
            ratio(figures),
        ]);
    }
    for column in 2..6 {
        table.column_mut(column).expect("six columns").set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Least, median and 95 % latency.
pub(super) fn latency(figures: &Figures, lang: Lang) -> String {
    let Some(latency) = figures.latency else { return "—".into() };
    [latency.min, latency.median.value, latency.p95].map(|ns| format::time(lang, ns)).join(" / ")
}

/// How many times faster than the library's barrier.
pub(super) fn ratio(figures: &Figures) -> String {
    figures.ratio.as_ref().map_or_else(|| "—".into(), format::ratio_estimate)
}

/// Every form that failed, with its reason.
pub(super) fn failures(analysis: &Analysis<'_>, ranks: usize, lang: Lang) -> Vec<String> {
    let failed = analysis.at(ranks).filter_map(|row| match row.outcome {
        Outcome::Failed(reason) => {
            Some(text::failed_row(lang, format!("{}, {}", row.name(), row.runs_on()), reason))
        }
        Outcome::Measured(_) | Outcome::Refused(_) => None,
    });
    failed.collect()
}

fn targets_table(analysis: &Analysis<'_>, lang: Lang) -> Table {
    let mut table =
        table(&[text::target(lang), text::wanted(lang), text::measured(lang), text::verdict(lang)]);
    for target in targets::of(analysis) {
        let measured = target.value.as_ref().map_or_else(|| "—".into(), format::ratio_estimate);
        table.add_row([target.title(lang), target.bound(lang), measured, target.verdict(lang)]);
    }
    table
}

fn table(header: &[String]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Disabled);
    table.style_mut().row_separator = LineStyle::none();
    table.set_header(header.to_vec());
    for column in table.column_iter_mut() {
        column.set_padding((0, 1));
    }
    table
}
