//! The final output of `cargo bench`: the medians, and the path of the records.
use std::{collections::BTreeMap, fmt::Write, path::Path};

use wb_messages::{Lang, number, performance as text, report::result};
use wb_record::Sweep;
use wb_statistics::median;

use super::series_table::SeriesTable;

/// The medians of all series and sweeps as lines, and how to make a report from them.
pub(crate) fn summary(
    book: &SeriesTable,
    sweeps: &[Sweep],
    records: &Path,
    task: &str,
    lang: Lang,
) -> String {
    let mut lines = String::new();
    for (series, median_ns) in book.medians() {
        let (version, mode, ranks) = (series.version.name(), series.mode.name(), series.ranks);
        let workload = format!("{} {}", series.workload.name, series.workload.size);
        let time = duration(lang, median_ns);
        line(&mut lines, format!("{workload:<24} {version:<4} P = {ranks:<3} {mode:<9} {time:>12}"));
    }
    for (page, (own, library)) in group_sweeps(sweeps) {
        page.compared(&own, &library, lang).into_iter().for_each(|text| line(&mut lines, text));
    }
    let title = text::medians(lang);
    let records = text::records_are_in(lang, records.display());
    let next = text::report_renders_them(lang, task);
    format!("{title}\n{lines}{records}\n{next}\n")
}

/// One line of a sweep over all its launches.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct SweepKey<'a> {
    operation: &'a str,
    ranks: u32,
    algorithm: &'a str,
    bytes: u64,
    moves_nothing: bool,
}

impl SweepKey<'_> {
    /// The medians of both verbs, or the statement that they are not compared.
    fn compared(&self, own: &[f64], library: &[f64], lang: Lang) -> Option<String> {
        let Self { operation, ranks, algorithm, bytes, moves_nothing } = self;
        let size = result::bytes(lang, bytes);
        let begin = format!("{operation:<6} P = {ranks:<3} {size:>10}");
        if *moves_nothing {
            return Some(format!("{begin} {}  {algorithm}", text::moves_nothing(lang)));
        }
        let (own, library) = (median(own)?, median(library)?);
        let [own_time, library_time] = [own, library].map(|ns| duration(lang, ns));
        let ratio = number::fixed(lang, own / library, 2);
        Some(format!("{begin} {own_time:>12} / {library_time:>12} = {ratio:>5}  {algorithm}"))
    }
}

/// The samples of both verbs, for one call each, of all launches together.
fn group_sweeps(sweeps: &[Sweep]) -> BTreeMap<SweepKey<'_>, (Vec<f64>, Vec<f64>)> {
    let mut pages: BTreeMap<_, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
    for sweep in sweeps {
        let algorithm = sweep.library_algorithm.as_deref().unwrap_or("");
        let (operation, ranks, bytes) = (sweep.operation.as_str(), sweep.ranks, sweep.bytes);
        let page = SweepKey { operation, ranks, algorithm, bytes, moves_nothing: sweep.moves_nothing };
        let (own, library) = pages.entry(page).or_default();
        own.extend(sweep.student_samples_ns());
        library.extend(sweep.library_samples_ns());
    }
    pages
}

fn line(text: &mut String, line: String) {
    writeln!(text, "  {}", line.trim_end()).expect("a string takes everything");
}

/// A time in a readable unit.
fn duration(lang: Lang, ns: f64) -> String {
    let digits = |value: f64| number::fixed(lang, value, 2);
    match ns {
        ns if ns < 1e3 => result::nanoseconds(lang, digits(ns)),
        ns if ns < 1e6 => result::microseconds(lang, digits(ns / 1e3)),
        ns if ns < 1e9 => result::milliseconds(lang, digits(ns / 1e6)),
        ns => result::seconds(lang, digits(ns / 1e9)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_at_which_nothing_moves_has_a_reason_and_no_ratio() {
        let page = |moves_nothing| SweepKey {
            operation: "scatter",
            ranks: 4,
            algorithm: "",
            bytes: 8,
            moves_nothing,
        };
        let told = |moves_nothing| page(moves_nothing).compared(&[200.0], &[100.0], Lang::En);
        assert_eq!(
            told(false).as_deref().map(str::trim_end),
            Some("scatter P = 4          8 B    200.00 ns /    100.00 ns =  2.00")
        );
        let nothing = told(true).expect("a reason");
        assert!(nothing.contains("8 B no data is moved at this size: not compared"), "{nothing}");
    }

    #[test]
    fn times_are_told_in_their_own_unit() {
        assert_eq!(duration(Lang::En, 12.0), "12.00 ns");
        assert_eq!(Lang::ALL.map(|lang| duration(lang, 45_600.0)), ["45.60 µs", "45,60 мкс"]);
        assert_eq!(duration(Lang::En, 45_600_000.0), "45.60 ms");
        assert_eq!(duration(Lang::En, 4.5e9), "4.50 s");
    }
}
