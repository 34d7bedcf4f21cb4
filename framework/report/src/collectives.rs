//! The report of the benchmark of collective operations: how many times faster each algorithm is than the library's call, by operation and length.
//!
//! Pure functions of the records. The ratios are those of [`collective_cells`], by pairs of calls next to each other in time. Where ranks share
//! cores every section says so.
//!
//! ```
//! use wb_messages::Lang;
//! use wb_report::collectives::CollectiveReport;
//! let lines = wb_record::example_collectives();
//! let report = CollectiveReport::new(&lines);
//! assert!(report.terminal(Lang::En, 80).contains("bcast_flat"));
//! assert_eq!(report.html(Lang::Ru), report.html(Lang::Ru));
//! ```
use std::borrow::Cow;

use maud::html;
use wb_messages::{
    Lang,
    report::{barriers as barrier_text, collectives as text},
};
use wb_record::{
    Backend, BarrierLine, BarrierRun, CollectiveCell, CollectiveWay, REFERENCE, REFERENCE_VERB,
    collective_cells, statistics::Estimate,
};
use wb_text::escape;

use crate::{
    barriers::{library, machine},
    chart::{Plot, PlotPoint, PlotSeries, Scale},
    csv::with_ends,
    document::{BlockGroup, Document, Inline, Medium, Table, code, left, right, styled},
    format,
    html::shell,
};

/// Blocks up to this length are compared with the bare handshake, too.
const SHORT_BYTES: u64 = 64;

/// The most operations whose every algorithm a terminal shows.
const MAX_IN_TERMINAL: usize = 2;

/// The columns of a terminal for the name of an operation, and for a ratio.
const NAME_COLUMNS: u16 = 23;
const RATIO_COLUMNS: u16 = 7;

/// The classes of the curves of a chart.
const CURVES: [&str; 6] = ["s-run", "amdahl", "ceiling", "s-pipeline", "library", "ideal"];

/// The report of the last run of some records.
pub struct CollectiveReport<'r> {
    run: Option<&'r BarrierRun>,
    cells: Vec<CollectiveCell<'r>>,
}

impl<'r> CollectiveReport<'r> {
    /// Computes all medians and intervals.
    pub fn new(lines: &'r [BarrierLine]) -> Self {
        let run = lines.iter().rev().find_map(|line| match line {
            BarrierLine::BarrierRun(run) => Some(&**run),
            BarrierLine::BarrierSeries(_) => None,
        });
        Self { run, cells: collective_cells(lines) }
    }

    /// The best ratio of each operation at each length, as tables for a terminal of `width` columns; of few operations also all algorithms.
    pub fn terminal(&self, lang: Lang, width: u16) -> String {
        self.document(lang, Medium::Terminal(width)).to_text()
    }

    /// The same with all algorithms as `report.md`.
    pub fn markdown(&self, lang: Lang) -> String {
        self.document(lang, Medium::Markdown).to_text()
    }

    /// One offline page with charts: `report.html` in English, `report.ru.html` in Russian.
    pub fn html(&self, lang: Lang) -> String {
        shell(lang, &text::title(lang), "report", &self.document(lang, Medium::Page).to_markup())
    }

    /// All algorithms as CSV, times in nanoseconds; a missing measurement is an empty field.
    pub fn csv(&self) -> String {
        let columns = "ranks oversubscribed ranks_are thread_level verb bytes algorithm family substrate spacing \
            median_ns median_lo_ns median_hi_ns ratio ratio_lo ratio_hi reason";
        let mut table = Table::new(columns.split_whitespace().map(left));
        let level = self.run.and_then(|run| run.environment.message_passing.thread_level.as_deref());
        let number = |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:.3}"));
        for (cell, way) in self.cells.iter().flat_map(|cell| cell.ways.iter().map(move |way| (cell, way))) {
            let names = [cell.ranks_are.name(), level.unwrap_or_default(), cell.verb].map(str::to_owned);
            let (form, none) = (way.form, String::new());
            let form = [&form.variant, &form.family, &form.substrate, form.spacing.as_ref().unwrap_or(&none)];
            table.row(
                [
                    vec![cell.ranks.to_string(), self.is_oversubscribed(cell.ranks).to_string()],
                    names.to_vec(),
                    vec![cell.bytes.to_string()],
                    form.map(|text| escape::csv_text(text).into_owned()).to_vec(),
                    with_ends(way.ns.ok(), number).to_vec(),
                    with_ends(way.ratio, number).to_vec(),
                    vec![escape::csv_text(way.ns.err().unwrap_or_default()).into_owned()],
                ]
                .concat(),
            );
        }
        table.to_csv()
    }

    fn is_oversubscribed(&self, ranks: usize) -> bool {
        self.run.is_some_and(|run| run.environment.highest_load(ranks as u32).is_oversubscribed())
    }

    fn document(&self, lang: Lang, medium: Medium) -> Document {
        let mut document = Document::new(medium);
        let Some(run) = self.run else {
            document.paragraph(barrier_text::empty(lang));
            return document;
        };
        document.group(BlockGroup::Header, |header| {
            if !header.is_terminal() {
                header.heading(1, text::title(lang));
            }
            let passing = library(&run.environment).unwrap_or_else(|| text::between_threads(lang));
            header.lead(text::lead(lang, plain(&passing, medium), &run.at));
            warnings(run, lang).into_iter().for_each(|warning| header.alarm(warning));
        });
        let mut sizes: Vec<(usize, Backend)> =
            self.cells.iter().map(|cell| (cell.ranks, cell.ranks_are)).collect();
        sizes.dedup();
        for size in sizes {
            document.section("", |section| self.size_section(section, run, size, (lang, medium)));
        }
        if !document.is_terminal() {
            document.section("", |section| {
                section.heading(2, barrier_text::method_heading(lang));
                section.paragraph(text::method(lang, run.launches, run.rounds));
                section.paragraph(text::ratio_about(lang));
                section.note(plain(&machine(&run.environment, lang), medium));
                if section.is_page() {
                    let link = |file: &str| html! { a href=(file) { (file) } };
                    let links = html! { (barrier_text::data(lang)) ": " (link("records.jsonl")) " · " (link("collectives.csv")) };
                    section.paragraph(links);
                }
            });
        }
        document
    }

    fn size_section(
        &self,
        section: &mut Document,
        run: &BarrierRun,
        (ranks, ranks_are): (usize, Backend),
        (lang, medium): (Lang, Medium),
    ) {
        let load = run.environment.highest_load(ranks as u32);
        let title = match ranks_are {
            Backend::Threads => text::at_threads(lang, ranks),
            _ => barrier_text::at_ranks(lang, ranks),
        };
        section.heading(2, title);
        match load.is_oversubscribed() {
            true => section.alarm(barrier_text::oversubscribed(lang, load.ranks, load.usable_cores)),
            false => section.note(barrier_text::own_cores(lang, ranks, run.environment.machine.usable_cores)),
        }
        let cells: Vec<&CollectiveCell<'_>> =
            self.cells.iter().filter(|cell| (cell.ranks, cell.ranks_are) == (ranks, ranks_are)).collect();
        let (references, cells): (Vec<_>, Vec<_>) =
            cells.into_iter().partition(|cell| cell.verb == REFERENCE_VERB);
        let references = || references.iter().flat_map(|cell| &cell.ways);
        for way in references() {
            let time = way.ns.map_or_else(str::to_owned, |ns| format::time_estimate(lang, &ns));
            section.note(match way.form.variant == REFERENCE {
                true => text::handshake(lang, time),
                false => text::overhead(lang, time),
            });
        }
        let handshake = references().find(|way| way.form.variant == REFERENCE).and_then(|way| way.ns.ok());
        let mut verbs: Vec<&str> = cells.iter().map(|cell| cell.verb).collect();
        verbs.dedup();
        section.paragraph(match ranks_are {
            Backend::Threads => text::best_of_threads(lang),
            _ => text::best(lang),
        });
        best(&cells, &verbs, medium, lang).into_iter().for_each(|table| section.table(table));
        if section.is_terminal() && verbs.len() > MAX_IN_TERMINAL {
            failures(&cells, medium, lang).for_each(|failure| section.paragraph(failure));
            return;
        }
        for verb in verbs {
            let cells: Vec<_> = cells.iter().copied().filter(|cell| cell.verb == verb).collect();
            section.heading(3, plain(verb, medium));
            if section.is_page() {
                section.group(BlockGroup::Figures, |figures| chart(figures, verb, &cells, lang));
                let group = BlockGroup::Details { summary: text::all_ways(lang), is_open: false };
                section.group(group, |details| {
                    details.table(ways(&cells, handshake, medium, lang));
                });
            } else {
                section.table(ways(&cells, handshake, medium, lang));
            }
            failures(&cells, medium, lang).for_each(|failure| section.paragraph(failure));
        }
    }
}

/// What makes the figures of less use.
fn warnings(run: &BarrierRun, lang: Lang) -> Vec<String> {
    let is_part = run.quick || !run.verbs.is_empty() || !run.only.is_empty();
    let passing = &run.environment.message_passing;
    let is_funneled = passing.thread_level.as_deref().is_some_and(|level| level.ends_with("FUNNELED"));
    let all = [
        is_part.then(|| text::part(lang)),
        is_funneled.then(|| text::funneled(lang)),
        (run.environment.build.profile != "release").then(|| barrier_text::not_release(lang)),
    ];
    all.into_iter().flatten().collect()
}

/// A row an operation, a column a length: the ratio of the best algorithm; in a terminal as many tables as its width needs.
fn best(cells: &[&CollectiveCell<'_>], verbs: &[&str], medium: Medium, lang: Lang) -> Vec<Table> {
    let mut lengths: Vec<u64> = cells.iter().map(|cell| cell.bytes).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let most = match medium {
        Medium::Terminal(width) => usize::from(width.saturating_sub(NAME_COLUMNS) / RATIO_COLUMNS),
        Medium::Markdown | Medium::Page => lengths.len(),
    };
    lengths.chunks(most.max(1)).map(|lengths| best_of(cells, verbs, lengths, medium, lang)).collect()
}

fn best_of(
    cells: &[&CollectiveCell<'_>],
    verbs: &[&str],
    lengths: &[u64],
    medium: Medium,
    lang: Lang,
) -> Table {
    let columns = lengths.iter().map(|&bytes| right(short_bytes(bytes)));
    let mut table = Table::new(std::iter::once(left(text::operation(lang))).chain(columns));
    for verb in verbs {
        let ratio = |&bytes: &u64| {
            let cell = cells.iter().find(|cell| (cell.verb, cell.bytes) == (*verb, bytes))?;
            cell.best()?.ratio
        };
        let cell = |bytes: &u64| -> Inline {
            let Some(ratio) = ratio(bytes) else { return format::dash().into() };
            let value = format::ratio(lang, ratio.value);
            let class = match ratio.interval {
                Some(interval) if interval.lo > 1.0 => "test good",
                Some(interval) if interval.hi < 1.0 => "test bad",
                _ => "test doubtful",
            };
            if medium == Medium::Page {
                styled(class, Some(format::ratio_estimate(lang, &ratio)), value)
            } else {
                value.into()
            }
        };
        table.row(std::iter::once(name(verb, medium)).chain(lengths.iter().map(cell)));
    }
    table
}

/// A text of the records.
fn plain(text: &str, medium: Medium) -> String {
    match medium {
        Medium::Markdown => escape::markdown(text).into_owned(),
        Medium::Terminal(_) | Medium::Page => text.to_owned(),
    }
}

/// The name of an operation or of an algorithm.
fn name(name: &str, medium: Medium) -> Inline {
    if medium == Medium::Page { code(name) } else { plain(name, medium).into() }
}

/// A length in few letters.
fn short_bytes(bytes: u64) -> String {
    match bytes {
        ..1024 => bytes.to_string(),
        1024..1_048_576 => format!("{}K", bytes / 1024),
        _ => format!("{}M", bytes / 1_048_576),
    }
}

/// A row a way: its time and its ratio.
fn ways(cells: &[&CollectiveCell<'_>], handshake: Option<Estimate>, medium: Medium, lang: Lang) -> Table {
    let mut table = Table::new([
        right(text::bytes(lang)),
        left(text::algorithm(lang)),
        left(barrier_text::runs_on(lang)),
        right(text::time(lang)),
        right(text::ratio(lang)),
        right(text::to_handshake(lang)),
    ]);
    for (cell, way) in cells.iter().flat_map(|cell| cell.ways.iter().map(move |way| (cell, way))) {
        let Ok(ns) = way.ns else { continue };
        let ratio = way.ratio.filter(|_| !way.form.is_baseline());
        let to_handshake = handshake
            .filter(|_| cell.bytes <= SHORT_BYTES)
            .map(|one| format::ratio(lang, ns.value / one.value));
        table.row([
            format::bytes(lang, cell.bytes).into(),
            name(&way.form.variant, medium),
            substrate(way).into_owned().into(),
            format::time_estimate(lang, &ns).into(),
            ratio.map_or_else(format::dash, |ratio| format::ratio_estimate(lang, &ratio)).into(),
            to_handshake.unwrap_or_else(format::dash).into(),
        ]);
    }
    table
}

fn substrate<'a>(way: &'a CollectiveWay<'_>) -> Cow<'a, str> {
    match &way.form.spacing {
        Some(spacing) => format!("{} {spacing}", way.form.substrate).into(),
        None => way.form.substrate.as_str().into(),
    }
}

/// Every way that has no times, with the reason.
fn failures(cells: &[&CollectiveCell<'_>], medium: Medium, lang: Lang) -> impl Iterator<Item = Inline> {
    let reason = move |cell: &CollectiveCell<'_>, way: &CollectiveWay<'_>| {
        let reason = way.ns.err()?;
        let form = format!("{}, {}, {}", way.form.variant, substrate(way), format::bytes(lang, cell.bytes));
        Some(styled(
            "test bad",
            None,
            barrier_text::failed_row(lang, plain(&form, medium), plain(reason, medium)),
        ))
    };
    let all = cells.iter().flat_map(|cell| cell.ways.iter().filter_map(move |way| reason(cell, way)));
    all.collect::<Vec<_>>().into_iter()
}

/// The ratio of each algorithm by length.
fn chart(figures: &mut Document, verb: &str, cells: &[&CollectiveCell<'_>], lang: Lang) {
    let mut names: Vec<&str> = vec![];
    for way in cells.iter().flat_map(|cell| &cell.ways).filter(|way| !way.form.is_baseline()) {
        if !names.contains(&way.form.variant.as_str()) {
            names.push(&way.form.variant);
        }
    }
    let mark = |cell: &CollectiveCell<'_>, name: &str| {
        let way = cell.ways.iter().find(|way| way.form.variant == name && !way.form.is_baseline())?;
        let ratio = way.ratio?;
        let label =
            format!("{name}, {}: {}", format::bytes(lang, cell.bytes), format::ratio_estimate(lang, &ratio));
        Some(PlotPoint::new(cell.bytes as f64, &ratio, label))
    };
    let curve = |(number, name): (usize, &&str)| {
        let marks = cells.iter().filter_map(|cell| mark(cell, name)).collect();
        PlotSeries::curve((*name).to_owned(), CURVES[number % CURVES.len()], marks)
    };
    let series: Vec<PlotSeries> = names.iter().enumerate().map(curve).collect();
    let values = || series.iter().flat_map(|series| series.marks.iter().map(|mark| mark.y)).chain([1.0]);
    let (x, y) = (
        Scale::logarithmic_around(cells.iter().map(|cell| cell.bytes as f64), 1.3),
        Scale::logarithmic_around(values(), 1.2),
    );
    let x_ticks = cells.iter().map(|cell| (cell.bytes as f64, short_bytes(cell.bytes))).collect();
    let (title, about) = (text::chart(lang, verb), text::chart_about(lang));
    let texts = [
        title.clone(),
        about.clone(),
        text::bytes(lang),
        text::ratio(lang),
        barrier_text::not_measured(lang),
    ];
    let plot = Plot::new(texts, (x, x_ticks), y, |value| format::ratio(lang, value), series);
    figures.figure(&title, plot.render(), &about);
}

#[cfg(test)]
mod tests {
    use wb_record::BarrierOutcome;

    use super::*;

    #[test]
    fn every_medium_has_the_ratio_the_thread_level_and_the_reference() {
        let lines = wb_record::example_collectives();
        let report = CollectiveReport::new(&lines);
        for lang in Lang::ALL {
            let pages =
                [report.terminal(lang, 100), report.markdown(lang).replace('\\', ""), report.html(lang)];
            for page in pages {
                for part in
                    ["bcast_flat", "mpi_bcast", "MPI_THREAD_MULTIPLE", &text::handshake(lang, "")[..10]]
                {
                    assert!(page.contains(part), "no `{part}` in {page}");
                }
            }
        }
        let table = report.csv();
        assert!(
            table.contains("2,false,mpi,MPI_THREAD_MULTIPLE,bcast,8,bcast_flat,shared_memory,cells,,"),
            "{table}"
        );
    }

    #[test]
    fn a_narrow_terminal_has_several_tables_and_no_number_in_two_lines() {
        let mut lines = wb_record::example_collectives();
        let one =
            lines.iter().position(|line| matches!(line, BarrierLine::BarrierSeries(_))).expect("a series");
        for more in 1..20 {
            for at in one..lines.len() {
                let mut line = lines[at].clone();
                let BarrierLine::BarrierSeries(series) = &mut line else { continue };
                if series.form.bytes == Some(8) {
                    series.form.bytes = Some(8 << more);
                    lines.push(line);
                }
            }
        }
        for width in [40, 80, 200] {
            let shown = CollectiveReport::new(&lines).terminal(Lang::En, width);
            let rows: Vec<_> = shown.lines().filter(|line| line.starts_with("bcast ")).collect();
            let ratios: usize = rows.iter().map(|row| row.split_whitespace().count() - 1).sum();
            assert!(
                ratios >= 20 && shown.lines().all(|line| line.chars().count() <= width.into()),
                "{shown}"
            );
        }
    }

    #[test]
    fn ranks_that_share_cores_and_wrong_results_are_on_the_face() {
        let mut lines = wb_record::example_collectives();
        for line in &mut lines {
            let BarrierLine::BarrierSeries(series) = line else { continue };
            series.ranks = 4;
            if series.form.variant == "bcast_flat" {
                series.outcome = BarrierOutcome::Failed { reason: "rank 1 has another result".into() };
            }
        }
        let shown = CollectiveReport::new(&lines).terminal(Lang::En, 100);
        for part in ["OVERSUBSCRIBED: 4 ranks share 2 cores", "FAILED", "rank 1 has another result"] {
            assert!(shown.contains(part), "{shown}");
        }
    }
}
