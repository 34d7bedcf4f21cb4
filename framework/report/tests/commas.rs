//! A Russian reader meets decimal commas on every page, and programs meet points.

use std::{fs, path::Path};

use super::synthetic::{SyntheticRun, cases};
use wb_messages::{Lang, number::decimal_points};
use wb_record::{BarrierLine, Measurement, Record, Trace};
use wb_report::{barriers, trace};

/// Each page with what it is.
type Pages = Vec<(&'static str, String)>;

fn record_pages(records: &[Record], lang: Lang) -> Pages {
    let summary: Vec<_> = wb_report::IndexEntry::from_records(records).into_iter().collect();
    let mut pages = vec![
        ("screen", wb_report::screen(records, "", lang)),
        ("terminal", wb_report::terminal(records, lang, 240)),
        ("markdown", wb_report::markdown(records, lang)),
        ("html", wb_report::html(records, lang)),
        ("index", wb_report::index(&summary, &[], lang)),
        ("predictions", wb_report::predictions(records, lang)),
    ];
    for record in records {
        if let Measurement::Trace(one) = &record.measurement {
            pages.extend(trace_pages(one, lang));
        }
    }
    pages
}

fn trace_pages(one: &Trace, lang: Lang) -> Pages {
    vec![
        ("trace in the terminal", trace::terminal(one, lang).expect("sound")),
        ("trace", trace::html(one, &trace::Sources::new(), lang).expect("sound")),
    ]
}

fn barrier_pages(lines: &[BarrierLine], lang: Lang) -> Pages {
    let charts = barriers::charts(lines, lang).into_iter().map(|(_, chart)| ("chart", chart));
    let pages = [
        ("barriers in the terminal", barriers::terminal(lines, lang, 80)),
        ("barriers in markdown", barriers::markdown(lines, lang)),
        ("barriers", barriers::html(lines, lang)),
    ];
    pages.into_iter().chain(charts).collect()
}

/// The files of `tests/corpus` of one kind that are right.
fn corpus(kind: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(kind);
    let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("an entry").path());
    let right = files.filter(|file| !file.file_name().unwrap().to_string_lossy().starts_with("wrong-"));
    right.map(|file| fs::read_to_string(file).expect("a file")).collect()
}

fn pages(lang: Lang) -> Pages {
    let mut runs = cases();
    runs.extend(corpus("records").iter().map(|text| wb_record::read_all(text).expect("right")));
    let mut pages: Pages = runs.iter().flat_map(|records| record_pages(records, lang)).collect();
    pages.extend(trace_pages(&wb_record::example_trace(), lang));
    for text in corpus("traces") {
        pages.extend(trace_pages(&Trace::parse_line(text.trim_end()).expect("right"), lang));
    }
    for text in corpus("barriers") {
        pages.extend(barrier_pages(&BarrierLine::read_all(&text).expect("right"), lang));
    }
    pages
}

#[test]
fn no_russian_page_has_a_number_with_a_point() {
    let mut commas = 0;
    for (page, text) in pages(Lang::Ru) {
        assert_eq!(decimal_points(&text), Vec::<String>::new(), "{page}");
        commas +=
            text.split(|c: char| !c.is_ascii_digit() && c != ',').filter(|word| is_decimal(word)).count();
    }
    assert!(commas > 500, "{commas}");
}

/// `1,5`
fn is_decimal(word: &str) -> bool {
    word.split_once(',').is_some_and(|(whole, part)| !whole.is_empty() && !part.is_empty())
}

#[test]
fn canary_the_english_pages_have_points_that_are_seen() {
    let mut kinds: Vec<&str> = vec![];
    for (page, text) in pages(Lang::En) {
        if !decimal_points(&text).is_empty() {
            kinds.push(page);
        }
    }
    kinds.sort_unstable();
    kinds.dedup();
    // Not the index: its numbers are whole or stand in English words alone.
    assert!(kinds.len() >= 9, "{kinds:?}");
}

#[test]
fn tables_for_programs_have_points() {
    let csv = wb_report::csv(&SyntheticRun::good().records);
    let decimal = |cell: &&str| cell.contains('.') && cell.parse::<f64>().is_ok();
    assert!(csv.split([',', '\n']).filter(decimal).count() > 10, "{csv}");
}

#[test]
fn the_reports_of_the_repository_have_commas_in_russian() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports");
    let folders = fs::read_dir(root).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut read = 0;
    for file in folders.flat_map(|folder| ["report.ru.md", "report.ru.html"].map(|page| folder.join(page))) {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        assert_eq!(decimal_points(&text), Vec::<String>::new(), "{}", file.display());
        read += 1;
    }
    assert!(read >= 12, "{read}");
}
