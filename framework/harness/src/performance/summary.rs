//! What somebody who runs `cargo bench` sees at the end: the medians, and where the records are.
use std::{collections::BTreeMap, fmt::Write, path::Path};

use wb_messages::{Lang, performance as text};
use wb_record::Sweep;
use wb_statistics::median;

use super::book::Book;

/// The medians of all series and sweeps as lines, and how a real report is made of them.
pub(crate) fn summary(book: &Book, sweeps: &[Sweep], records: &Path, task: &str, lang: Lang) -> String {
    let mut lines = String::new();
    for (series, median_ns) in book.medians() {
        let (version, mode, ranks) = (series.version.name(), series.mode.name(), series.ranks);
        let workload = format!("{} {}", series.workload.name, series.workload.size);
        let time = duration(median_ns);
        line(&mut lines, format!("{workload:<24} {version:<4} P = {ranks:<3} {mode:<9} {time:>12}"));
    }
    for (Page { operation, ranks, algorithm, bytes }, (own, library)) in pages(sweeps) {
        if let (Some(own), Some(library)) = (median(&own), median(&library)) {
            let times = format!("{:>12} / {:>12} = {:5.2}", duration(own), duration(library), own / library);
            line(&mut lines, format!("{operation:<6} P = {ranks:<3} {bytes:>8} B {times}  {algorithm}"));
        }
    }
    let title = text::medians(lang);
    let records = text::records_are_in(lang, records.display());
    let next = text::report_renders_them(lang, task);
    format!("{title}\n{lines}{records}\n{next}\n")
}

/// One line of a sweep over all its launches.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Page<'a> {
    operation: &'a str,
    ranks: u32,
    algorithm: &'a str,
    bytes: u64,
}

/// The samples of both verbs, for one call each, of all launches together.
fn pages(sweeps: &[Sweep]) -> BTreeMap<Page<'_>, (Vec<f64>, Vec<f64>)> {
    let mut pages: BTreeMap<_, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
    for sweep in sweeps {
        let algorithm = sweep.library_algorithm.as_deref().unwrap_or("");
        let (operation, ranks, bytes) = (sweep.operation.as_str(), sweep.ranks, sweep.bytes);
        let (own, library) = pages.entry(Page { operation, ranks, algorithm, bytes }).or_default();
        own.extend(sweep.student_samples_ns());
        library.extend(sweep.library_samples_ns());
    }
    pages
}

fn line(text: &mut String, line: String) {
    writeln!(text, "  {}", line.trim_end()).expect("a string takes everything");
}

/// A time in the unit in which it is read easily.
fn duration(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "us"),
        ns if ns < 1e9 => (ns / 1e6, "ms"),
        ns => (ns / 1e9, "s"),
    };
    format!("{value:.2} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_their_own_unit() {
        assert_eq!(duration(12.0), "12.00 ns");
        assert_eq!(duration(45_600.0), "45.60 us");
        assert_eq!(duration(45_600_000.0), "45.60 ms");
        assert_eq!(duration(4.5e9), "4.50 s");
    }
}
