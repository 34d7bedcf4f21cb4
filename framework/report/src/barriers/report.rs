//! The report of a run: the targets, the forms of every barrier, and what failed.
use maud::html;
use wb_messages::{Lang, report::barriers as text};
use wb_record::Environment;

use super::{
    analysis::{BarrierAnalysis, BarrierFigures, BarrierRow, RowOutcome, library},
    charts, hosts,
    targets::{self, TargetVerdict},
};
use crate::{
    document::{BlockGroup, Document, Inline, Medium, Table, code, left, right, styled},
    format,
};

/// A terminal has the best form of each barrier, Markdown and a page have all forms.
pub(super) fn document(analysis: &BarrierAnalysis<'_>, lang: Lang, medium: Medium) -> Document {
    let mut document = Document::new(medium);
    document.group(BlockGroup::Header, |header| {
        if !header.is_terminal() {
            header.heading(1, text::title(lang));
        }
        header.lead(lead(analysis, lang));
        warnings(analysis, lang).into_iter().for_each(|warning| header.alarm(warning));
    });
    if !document.is_terminal() {
        targets_section(&mut document, analysis, lang);
    }
    if document.is_page() && analysis.sizes().len() > 1 {
        document.section("", |section| charts::by_ranks(section, analysis, lang));
    }
    for ranks in analysis.sizes() {
        document.section("", |section| size_section(section, analysis, ranks, lang));
    }
    if document.is_terminal() {
        document.note(text::best_of_each(lang));
        targets_section(&mut document, analysis, lang);
    } else {
        method_section(&mut document, analysis, lang);
    }
    document
}

/// One line about the run.
fn lead(analysis: &BarrierAnalysis<'_>, lang: Lang) -> String {
    let forms = analysis.rows.iter().map(|row| row.form).collect::<std::collections::BTreeSet<_>>().len();
    let ranks: Vec<String> = analysis.run.ranks.iter().map(usize::to_string).collect();
    let library = analysis.library().unwrap_or_else(format::dash);
    text::lead(lang, forms, ranks.join(", "), library, &analysis.run.at)
}

/// What makes the figures of no use.
fn warnings(analysis: &BarrierAnalysis<'_>, lang: Lang) -> Vec<String> {
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

fn targets_section(document: &mut Document, analysis: &BarrierAnalysis<'_>, lang: Lang) {
    let mut table = Table::new([
        left(text::target(lang)),
        right(text::wanted(lang)),
        right(text::measured(lang)),
        left(text::verdict(lang)),
    ]);
    for target in targets::targets(analysis) {
        let class = match target.evaluate() {
            TargetVerdict::Met => "test good",
            TargetVerdict::Missed => "test bad",
            TargetVerdict::Undecided | TargetVerdict::NotMeasured => "test doubtful",
        };
        let measured = target.value.as_ref().map_or_else(format::dash, |x| format::ratio_estimate(lang, x));
        let verdict = styled(class, None, target.verdict(lang));
        table.row([target.title(lang).into(), target.bound_text(lang).into(), measured.into(), verdict]);
    }
    if !table.is_empty() {
        document.section("", |section| {
            section.heading(2, text::targets(lang));
            section.table(table);
        });
    }
}

fn size_section(section: &mut Document, analysis: &BarrierAnalysis<'_>, ranks: usize, lang: Lang) {
    let (title, cores) = (text::at_ranks(lang, ranks), cores(analysis, ranks, lang));
    let mark = || styled("flag", None, text::oversubscribed_mark(lang));
    match analysis.is_oversubscribed(ranks) && section.is_page() {
        _ if section.is_terminal() => section.paragraph(format!("{title}. {cores}")),
        true => {
            section.heading(2, Inline::from(title) + " " + mark());
            section.alarm(cores);
        }
        false => {
            section.heading(2, title);
            section.note(cores);
        }
    }
    hosts::lines(analysis, ranks, lang).into_iter().for_each(|about| section.note(about));
    let failures =
        failures(analysis, ranks, lang).into_iter().map(|failure| styled("test bad", None, failure));
    if section.is_terminal() {
        section.table(best(analysis, ranks, lang));
        failures.for_each(|failure| section.paragraph(failure));
    } else if section.is_page() {
        failures.for_each(|failure| section.paragraph(failure));
        section.group(BlockGroup::Figures, |figures| {
            charts::latency(figures, analysis, ranks, lang);
            charts::skew(figures, analysis, ranks, lang);
        });
        let (refused, others): (Vec<_>, Vec<_>) =
            analysis.rows_at(ranks).partition(|row| matches!(row.outcome, RowOutcome::Refused(_)));
        for (summary, rows) in [(text::all_forms(lang), others), (text::refused_heading(lang), refused)] {
            if !rows.is_empty() {
                let group = BlockGroup::Details { summary, is_open: false };
                section.group(group, |details| details.table(forms(analysis, &rows, true, lang)));
            }
        }
    } else {
        section.image(text::chart_latency(lang, ranks), format!("latency-{ranks}.svg"));
        section.image(text::chart_skew(lang, ranks), format!("skew-{ranks}.svg"));
        let rows: Vec<_> = analysis.rows_at(ranks).collect();
        section.table(forms(analysis, &rows, false, lang));
    }
}

/// Whether each rank has a core.
fn cores(analysis: &BarrierAnalysis<'_>, ranks: usize, lang: Lang) -> String {
    let load = analysis.highest_load(ranks);
    match load.is_oversubscribed() {
        true => text::oversubscribed(lang, load.ranks, load.usable_cores),
        false if hosts::are_several(analysis, ranks) => text::own_cores_on_hosts(lang, ranks),
        false => text::own_cores(lang, ranks, analysis.cores()),
    }
}

/// The best form of each barrier. Latencies are on the pages: here they would break every line in two.
fn best(analysis: &BarrierAnalysis<'_>, ranks: usize, lang: Lang) -> Table {
    let names = [text::barrier(lang), text::runs_on(lang)].map(left).into_iter();
    let numbers = [text::episode_short(lang), text::skew_short(lang), text::ratio(lang)].into_iter();
    let mut table = Table::new(names.chain(numbers.chain(hosts::headers(analysis, ranks, lang)).map(right)));
    for row in analysis.best(ranks) {
        let Some(figures) = row.figures() else { continue };
        let time = format::time(lang, figures.episode.median.value);
        let cells = [row.name(), row.substrate_label(), time, skew(figures, lang), ratio(figures, lang)];
        table.row(cells.into_iter().chain(hosts::messages(analysis, row)));
    }
    table
}

/// Every form; a page names its family.
fn forms(analysis: &BarrierAnalysis<'_>, rows: &[&BarrierRow<'_>], is_page: bool, lang: Lang) -> Table {
    let ranks = rows.first().map_or(0, |row| row.ranks);
    let family = is_page.then(|| text::family(lang));
    let names = [text::barrier(lang)].into_iter().chain(family).chain([text::runs_on(lang)]).map(left);
    let numbers = [text::episode(lang), text::latency(lang), text::skew(lang), text::ratio(lang)].into_iter();
    let mut table = Table::new(names.chain(numbers.chain(hosts::headers(analysis, ranks, lang)).map(right)));
    for row in rows {
        let name = if is_page { code(row.name()) } else { row.name().into() };
        let family = is_page.then(|| row.form.family.clone());
        let others = family.into_iter().chain([row.substrate_label()]).chain(numbers_of(row, lang));
        let others = others.chain(hosts::messages(analysis, row)).map(Inline::from);
        table.row([name].into_iter().chain(others));
    }
    table
}

/// The four numbers of a form, or its outcome in the place of the first.
fn numbers_of(row: &BarrierRow<'_>, lang: Lang) -> [String; 4] {
    let without = |outcome: String| [outcome, format::dash(), format::dash(), format::dash()];
    match &row.outcome {
        RowOutcome::Measured(figures) => [
            format::time_estimate(lang, &figures.episode.median),
            latency(figures, lang),
            skew(figures, lang),
            ratio(figures, lang),
        ],
        RowOutcome::Refused(reason) => without((*reason).to_owned()),
        RowOutcome::Failed(reason) => without(format!("{}: {reason}", text::failed_heading(lang))),
    }
}

/// Least, median and 95 % latency.
fn latency(figures: &BarrierFigures<'_>, lang: Lang) -> String {
    let Some(latency) = figures.latency else { return format::dash() };
    [latency.min, latency.median.value, latency.p95].map(|ns| format::time(lang, ns)).join(" / ")
}

fn skew(figures: &BarrierFigures<'_>, lang: Lang) -> String {
    figures.skew.map_or_else(format::dash, |ns| format::time(lang, ns))
}

/// How many times faster than the library's barrier.
fn ratio(figures: &BarrierFigures<'_>, lang: Lang) -> String {
    figures.ratio.as_ref().map_or_else(format::dash, |x| format::ratio_estimate(lang, x))
}

/// Every form that failed, with its reason.
fn failures(analysis: &BarrierAnalysis<'_>, ranks: usize, lang: Lang) -> Vec<String> {
    let failed = analysis.rows_at(ranks).filter_map(|row| match row.outcome {
        RowOutcome::Failed(reason) => {
            Some(text::failed_row(lang, format!("{}, {}", row.name(), row.substrate_label()), reason))
        }
        RowOutcome::Measured(_) | RowOutcome::Refused(_) => None,
    });
    failed.collect()
}

fn method_section(document: &mut Document, analysis: &BarrierAnalysis<'_>, lang: Lang) {
    if !document.is_page() {
        document.paragraph(text::ratio_about(lang));
    }
    document.section("", |section| {
        section.heading(2, text::method_heading(lang));
        section.paragraph(text::method(lang, analysis.run.launches, analysis.run.rounds));
        if section.is_page() {
            section.paragraph(text::ratio_about(lang));
        }
        section.note(machine(&analysis.run.environment, lang));
        if section.is_page() {
            let link = |file: &str| html! { a href=(file) { (file) } };
            let links =
                html! { (text::data(lang)) ": " (link("records.jsonl")) " · " (link("barriers.csv")) };
            section.paragraph(links);
        }
    });
}

/// Everything about the machine in a line.
pub(crate) fn machine(environment: &Environment, lang: Lang) -> String {
    let library = library(environment).unwrap_or_else(format::dash);
    let (machine, build) = (&environment.machine, &environment.build);
    let (cpu, cores, seed) = (&machine.cpu, machine.usable_cores, environment.seed);
    text::machine(lang, cpu, cores, library, &build.rustc, &build.profile, seed)
}

#[cfg(test)]
mod tests {
    use wb_record::BarrierLine;

    use super::*;
    use crate::barriers;

    #[test]
    fn tables_keep_to_the_width_and_a_part_says_so() {
        let mut lines = wb_record::example_barriers();
        let BarrierLine::BarrierRun(run) = &mut lines[0] else { panic!("a run comes first") };
        (run.only, run.substrates, run.quick) = (vec!["tree".into()], vec!["cells".into()], false);
        for (lang, part) in [
            (Lang::En, "A PART ONLY: barriers tree, and the barriers they are compared with; on cells."),
            (Lang::Ru, "ТОЛЬКО ЧАСТЬ: барьеры tree и то, с чем их сравнивают; на носителях cells."),
        ] {
            let report = barriers::terminal(&lines, lang, 80);
            let words: Vec<&str> = report.split_whitespace().collect();
            assert!(words.join(" ").contains(part), "{report}");
            assert!(report.lines().all(|line| line.chars().count() <= 80), "{report}");
        }
        let BarrierLine::BarrierRun(run) = &mut lines[0] else { panic!("a run comes first") };
        (run.only, run.substrates) = (vec![], vec![]);
        assert!(!barriers::terminal(&lines, Lang::En, 80).contains("PART"));
    }
}
