//! The report on a terminal: the targets, the best forms, what failed.
use comfy_table::Table;
use wb_messages::{Lang, report::barriers as text};

use super::{
    analysis::{BarrierAnalysis, BarrierFigures, RowOutcome},
    hosts, targets,
};
use crate::{format, text_layout::empty_table};

/// The whole report, `width` columns wide.
pub(super) fn render(analysis: &BarrierAnalysis<'_>, lang: Lang, width: u16) -> String {
    let mut parts = vec![lead(analysis, lang)];
    parts.extend(warning(analysis, lang));
    for ranks in analysis.sizes() {
        parts.push(format!("\n{}. {}", text::at_ranks(lang, ranks), cores(analysis, ranks, lang)));
        parts.extend(hosts::lines(analysis, ranks, lang));
        parts.push(best(analysis, ranks, lang, width).to_string());
        parts.extend(failures(analysis, ranks, lang));
    }
    parts.push(text::best_of_each(lang));
    let targets = targets_table(analysis, lang, width);
    if targets.row_count() > 0 {
        parts.push(format!("\n{}", text::targets(lang)));
        parts.push(targets.to_string());
    }
    parts.join("\n") + "\n"
}

/// One line about the run.
pub(super) fn lead(analysis: &BarrierAnalysis<'_>, lang: Lang) -> String {
    let forms = analysis.rows.iter().map(|row| row.form).collect::<std::collections::BTreeSet<_>>().len();
    let ranks: Vec<String> = analysis.run.ranks.iter().map(usize::to_string).collect();
    let library = analysis.library().unwrap_or_else(format::dash);
    text::lead(lang, forms, ranks.join(", "), library, &analysis.run.at)
}

/// What makes the figures of no use.
pub(super) fn warning(analysis: &BarrierAnalysis<'_>, lang: Lang) -> Vec<String> {
    let part = partial_run_note(analysis, lang);
    let no_library = analysis.library().is_none().then(|| text::threads_only(lang));
    let release = analysis.run.environment.build.profile == "release";
    part.into_iter().chain(no_library).chain((!release).then(|| text::not_release(lang))).collect()
}

/// What was left out of a run that is not of everything.
fn partial_run_note(analysis: &BarrierAnalysis<'_>, lang: Lang) -> Option<String> {
    let run = analysis.run;
    let only = (!run.only.is_empty()).then(|| text::partial_barriers(lang, run.only.join(", ")));
    let on = (!run.substrates.is_empty()).then(|| text::partial_substrates(lang, run.substrates.join(", ")));
    let quick = run.quick.then(|| text::partial_quick(lang));
    let parts: Vec<String> = [only, on, quick].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| text::partial_run(lang, parts.join("; ")))
}

/// Whether each rank has a core.
pub(super) fn cores(analysis: &BarrierAnalysis<'_>, ranks: usize, lang: Lang) -> String {
    let load = analysis.most_crowded(ranks);
    match load.is_oversubscribed() {
        true => text::oversubscribed(lang, load.ranks, load.usable_cores),
        false if hosts::are_several(analysis, ranks) => text::own_cores_on_hosts(lang, ranks),
        false => text::own_cores(lang, ranks, analysis.cores()),
    }
}

/// Latencies are on the pages: here they would break every line in two.
fn best(analysis: &BarrierAnalysis<'_>, ranks: usize, lang: Lang, width: u16) -> Table {
    let mut header = vec![
        text::barrier(lang),
        text::runs_on(lang),
        text::episode_short(lang),
        text::skew_short(lang),
        text::ratio(lang),
    ];
    let has_messages = hosts::are_several(analysis, ranks);
    header.extend(has_messages.then(|| hosts::headers(lang)).into_iter().flatten());
    let mut table = table(&header, &(2..header.len()).collect::<Vec<_>>(), width);
    for row in analysis.best(ranks) {
        let Some(figures) = row.figures() else { continue };
        let skew = figures.skew.map_or_else(format::dash, |ns| format::time(lang, ns));
        let mut cells = vec![
            row.name(),
            row.carrier_label(),
            format::time(lang, figures.episode.median.value),
            skew,
            ratio(figures, lang),
        ];
        cells.extend(has_messages.then(|| hosts::messages(row)).into_iter().flatten());
        table.add_row(cells);
    }
    table
}

/// Least, median and 95 % latency.
pub(super) fn latency(figures: &BarrierFigures<'_>, lang: Lang) -> String {
    let Some(latency) = figures.latency else { return "—".into() };
    [latency.min, latency.median.value, latency.p95].map(|ns| format::time(lang, ns)).join(" / ")
}

/// How many times faster than the library's barrier.
pub(super) fn ratio(figures: &BarrierFigures<'_>, lang: Lang) -> String {
    figures.ratio.as_ref().map_or_else(format::dash, |x| format::ratio_estimate(lang, x))
}

/// Every form that failed, with its reason.
pub(super) fn failures(analysis: &BarrierAnalysis<'_>, ranks: usize, lang: Lang) -> Vec<String> {
    let failed = analysis.rows_at(ranks).filter_map(|row| match row.outcome {
        RowOutcome::Failed(reason) => {
            Some(text::failed_row(lang, format!("{}, {}", row.name(), row.carrier_label()), reason))
        }
        RowOutcome::Measured(_) | RowOutcome::Refused(_) => None,
    });
    failed.collect()
}

fn targets_table(analysis: &BarrierAnalysis<'_>, lang: Lang, width: u16) -> Table {
    let header = [text::target(lang), text::wanted(lang), text::measured(lang), text::verdict(lang)];
    let mut table = table(&header, &[], width);
    for target in targets::targets(analysis) {
        let measured = target.value.as_ref().map_or_else(format::dash, |x| format::ratio_estimate(lang, x));
        table.add_row([target.title(lang), target.bound_text(lang), measured, target.verdict(lang)]);
    }
    table
}

fn table(header: &[String], right: &[usize], width: u16) -> Table {
    let mut table = empty_table(header.to_vec(), right);
    table.set_width(width);
    table
}

#[cfg(test)]
mod tests {
    use wb_record::BarrierLine;

    use super::*;

    #[test]
    fn tables_keep_to_the_width_and_a_part_says_so() {
        let mut lines = wb_record::example_barriers();
        let BarrierLine::BarrierRun(run) = &mut lines[0] else { panic!("a run comes first") };
        (run.only, run.substrates, run.quick) = (vec!["tree".into()], vec!["cells".into()], false);
        for (lang, part) in [
            (Lang::En, "A PART ONLY: barriers tree, and the barriers they are compared with; on cells."),
            (Lang::Ru, "ТОЛЬКО ЧАСТЬ: барьеры tree и то, с чем их сравнивают; на носителях cells."),
        ] {
            let report = render(&BarrierAnalysis::from_lines(&lines).expect("a run"), lang, 80);
            assert!(report.contains(part), "{report}");
            let rules = report.lines().filter(|line| line.starts_with('─'));
            let widths: Vec<usize> = rules.map(|rule| rule.chars().count()).collect();
            assert!(widths.len() >= 4 && widths.iter().all(|&width| width <= 80), "{widths:?}");
        }
        let BarrierLine::BarrierRun(run) = &mut lines[0] else { panic!("a run comes first") };
        (run.only, run.substrates) = (vec![], vec![]);
        assert!(
            warning(&BarrierAnalysis::from_lines(&lines).expect("a run"), Lang::En)
                .iter()
                .all(|line| !line.contains("PART"))
        );
    }
}
