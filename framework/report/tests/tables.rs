//! Every cell is under its header, in every table of every format: checked by the meaning of the headers.

use std::collections::BTreeMap;

use wb_messages::Lang;
use wb_record::{Measurement, Record, Timing, Version, statistics::quantile};

use super::synthetic::SyntheticRun;

/// A table as a reader sees it.
#[derive(Clone, Debug)]
struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// The cell of a row under a header.
    fn cell<'t>(&'t self, row: &'t [String], header: &str) -> &'t str {
        let column = self.header.iter().position(|name| name == header);
        let column = column.unwrap_or_else(|| panic!("no column {header} in {:?}", self.header));
        &row[column]
    }

    /// The only row that these cells single out.
    fn row(&self, wanted: &[(&str, &str)]) -> &[String] {
        let fits = |row: &&Vec<String>| wanted.iter().all(|(header, text)| self.cell(row, header) == *text);
        let found: Vec<_> = self.rows.iter().filter(fits).collect();
        assert_eq!(found.len(), 1, "{wanted:?} in {self:#?}");
        found[0]
    }
}

/// The text of a piece of HTML.
fn plain(html: &str) -> String {
    let mut text = String::new();
    for part in html.split('<') {
        let words = part.split_once('>').map_or(part, |(_, words)| words);
        text.push_str(words);
        text.push(' ');
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn html_tables(page: &str) -> Vec<Table> {
    let inner = |text: &str, tag: &str| -> Vec<String> {
        let (opens, closes) = (format!("<{tag}"), format!("</{tag}>"));
        let parts = text.split(&opens).skip(1);
        parts.map(|part| part.split(&closes).next().unwrap_or_default().to_owned()).collect()
    };
    let cells = |row: &str| -> Vec<String> {
        let starts = row.match_indices("<t").filter(|(at, _)| row[at + 2..].starts_with(['h', 'd']));
        let starts: Vec<usize> = starts.map(|(at, _)| at).chain([row.len()]).collect();
        starts.windows(2).map(|ends| plain(&row[ends[0]..ends[1]])).collect()
    };
    let table = |text: &String| {
        let head = text.split("</thead>").next().unwrap_or_default();
        let body = text.split("<tbody").nth(1).unwrap_or_default();
        let header = inner(head, "tr").first().map(|row| cells(row)).unwrap_or_default();
        Table { header, rows: inner(body, "tr").iter().map(|row| cells(row)).collect() }
    };
    inner(page, "table").iter().map(table).collect()
}

/// The tables of a document of Markdown.
fn markdown_tables(text: &str) -> Vec<Table> {
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let lines: Vec<&str> = text.lines().collect();
    let rules = (1..lines.len()).filter(|at| lines[*at].starts_with("| ---"));
    rules
        .map(|at| {
            let rows = lines[at + 1..].iter().take_while(|line| line.starts_with('|'));
            Table { header: cells(lines[at - 1]), rows: rows.map(|line| cells(line)).collect() }
        })
        .collect()
}

/// The table of a CSV file without quoted fields.
fn csv_table(text: &str) -> Table {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    Table { header: lines.next().expect("a header"), rows: lines.collect() }
}

/// The first number of a cell.
fn number(cell: &str) -> Option<f64> {
    let from = cell.find(|c: char| c.is_ascii_digit())?;
    let digits: String = cell[from..].chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    digits.trim_end_matches('.').parse().ok()
}

fn records() -> Vec<Record> {
    SyntheticRun::complete().records
}

/// The times of the parallel version that a row of the results is of.
fn samples(mode: &str, ranks: &str) -> Vec<f64> {
    let of_row = |record: Record| match record.measurement {
        Measurement::Timing(timing) => Some(timing).filter(|Timing { series, .. }| {
            (series.mode.name(), series.ranks.to_string().as_str()) == (mode, ranks)
                && series.version == Version::Mpi
        }),
        _ => None,
    };
    records().into_iter().filter_map(of_row).flat_map(|timing| timing.samples_ns()).collect()
}

#[test]
fn every_column_of_the_csv_is_what_its_name_says() {
    let table = csv_table(&wb_report::csv(&records()));
    let row = |mode: &str, p: &str| table.row(&[("mode", mode), ("version", "mpi"), ("p", p)]).to_vec();
    let base = table.row(&[("mode", "task_run"), ("version", "seq")]).to_vec();
    let of = |row: &[String], name: &str| -> f64 {
        table.cell(row, name).parse().unwrap_or_else(|_| panic!("{name}: {row:?}"))
    };
    for (p, ms) in [("1", 418.0), ("2", 212.0), ("4", 118.0)] {
        let row = row("task_run", p);
        let text = |name| table.cell(&row, name);
        assert_eq!((text("workload"), text("size"), text("unit")), ("matrix", "4096", "rows"));
        assert_eq!((text("n"), text("launches"), text("machine"), text("model_error")), ("24", "3", "", ""));
        let median = of(&row, "median_ns");
        assert!((median / 1e6 - ms).abs() < 0.01 * ms, "{median}");
        let samples = samples("task_run", p);
        assert!((of(&row, "min_ns") - samples.iter().copied().fold(f64::INFINITY, f64::min)).abs() < 1e-3);
        assert!((of(&row, "p95_ns") - quantile(&samples, 0.95).expect("samples")).abs() < 1e-3);
        let speedup = of(&base, "median_ns") / median;
        assert!((of(&row, "speedup") / speedup - 1.0).abs() < 1e-9);
        assert!((of(&row, "efficiency") * p.parse::<f64>().expect("ranks") / speedup - 1.0).abs() < 1e-9);
        for (lo, value, hi) in [
            ("median_lo_ns", "median_ns", "median_hi_ns"),
            ("min_ns", "median_lo_ns", "p95_ns"),
            ("speedup_lo", "speedup", "speedup_hi"),
            ("efficiency_lo", "efficiency", "efficiency_hi"),
        ] {
            assert!(of(&row, lo) < of(&row, value) && of(&row, value) < of(&row, hi), "{lo} {value} {hi}");
        }
        let share = of(&row, "efficiency_hi") / of(&row, "speedup_hi");
        assert!((share * p.parse::<f64>().expect("ranks") - 1.0).abs() < 1e-9);
    }
    let model = table.row(&[("version", "model-mpi"), ("machine", "this-host"), ("p", "2")]);
    assert!((of(model, "model_error") - (233.2 / 212.0 - 1.0)).abs() < 0.01);
    assert!((of(model, "efficiency") - of(model, "speedup") / 2.0).abs() < 1e-9);
}

/// What the columns of a result table say of one another, by the names that one format gives them: ranks, time, S, E.
fn holds(table: &Table, [ranks, time, speedup, efficiency]: [&str; 4], least: usize) {
    let base = table.rows.iter().find(|row| table.cell(row, speedup).starts_with("1.00")).expect("a base");
    let base = number(table.cell(base, time)).expect("a time");
    let mut held = 0;
    for row in &table.rows {
        let value = |header| number(table.cell(row, header));
        let (Some(p), Some(t), Some(s), Some(e)) =
            (value(ranks), value(time), value(speedup), value(efficiency))
        else {
            continue;
        };
        assert!((1.0..=64.0).contains(&p) && p.fract() == 0.0, "{row:?}");
        assert!((e / 100.0 - s / p).abs() < 0.006, "E = S / p: {row:?}");
        // The rows of a model have a base of their own.
        held += usize::from((s - base / t).abs() < 0.01 * s);
    }
    assert!(held >= least, "S = T* / T holds in {held} rows: {table:#?}");
}

#[test]
fn times_speedups_and_efficiencies_stand_under_their_names() {
    let records = records();
    let page = html_tables(&wb_report::html(&records, Lang::En));
    let results: Vec<&Table> =
        page.iter().filter(|table| table.header.iter().any(|name| name == "E")).collect();
    assert_eq!(results.len(), 2, "task_run and pipeline");
    results.iter().for_each(|table| holds(table, ["p", "Time, median", "S", "E"], 2));
    let document = markdown_tables(&wb_report::markdown(&records, Lang::En));
    let results: Vec<&Table> =
        document.iter().filter(|table| table.header.iter().any(|name| name == "Efficiency")).collect();
    assert_eq!(results.len(), 2, "task_run and pipeline");
    results.iter().for_each(|table| holds(table, ["Count", "Time, s", "Speedup", "Efficiency"], 2));
    let mut canary = results[0].clone();
    canary.rows.iter_mut().for_each(|row| row.swap(4, 5));
    assert!(
        std::panic::catch_unwind(|| holds(&canary, ["Count", "Time, s", "Speedup", "Efficiency"], 2))
            .is_err()
    );
}

#[test]
fn every_cell_of_the_tables_is_the_one_that_was_looked_at() {
    let mut cells = BTreeMap::new();
    let communication = SyntheticRun::new().sweep(2, 1.04).records;
    let pages = [("computation", records()), ("communication", communication)];
    for (name, records) in &pages {
        let html = html_tables(&wb_report::html(records, Lang::En));
        let markdown = markdown_tables(&wb_report::markdown(records, Lang::En));
        for (format, tables) in [("html", html), ("markdown", markdown)] {
            for (at, table) in tables.iter().enumerate() {
                // The last row is of a model or of the largest size: it differs from the others in every column.
                for row in table.rows.iter().take(4).chain(table.rows.last()) {
                    let message: Vec<_> =
                        table.header.iter().zip(row).map(|(h, c)| format!("{h}: {c}")).collect();
                    cells
                        .entry(format!("{name} {format} table {at}"))
                        .or_insert_with(Vec::new)
                        .push(message.join(" | "));
                }
            }
        }
    }
    let made: String =
        cells.iter().map(|(name, rows)| format!("{name}\n  {}\n", rows.join("\n  "))).collect();
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/tables.txt");
    if std::env::var_os("WBTEST_BLESS").is_some() {
        std::fs::write(&file, &made).expect("written");
    }
    let kept = std::fs::read_to_string(&file).expect("the snapshot is there");
    assert!(
        kept == made,
        "{} has changed: look at it, then renew it with WBTEST_BLESS=1\n{made}",
        file.display()
    );
}

#[test]
fn the_base_is_never_a_series_with_wrong_results() {
    // The reference would be the fastest by far, and one of its outputs is wrong.
    let mut run = SyntheticRun::new().plan(&[1, 2]).timing(Version::Seq, 1, 400.0);
    run.wrong_repetition = true;
    run = run.timing(Version::Reference, 1, 100.0);
    run.wrong_repetition = false;
    let records = run.timing(Version::Mpi, 1, 420.0).timing(Version::Mpi, 2, 210.0).records;
    let table = csv_table(&wb_report::csv(&records));
    let row = table.row(&[("version", "mpi"), ("p", "2")]);
    let speedup: f64 = table.cell(row, "speedup").parse().expect("a speed-up");
    assert!((speedup - 400.0 / 210.0).abs() < 0.02, "{speedup}");
    assert_eq!(table.cell(table.row(&[("version", "reference")]), "speedup"), "");
    let page = wb_report::html(&records, Lang::En);
    assert!(page.contains("400 ms") && !page.contains("T* = 100"), "the base is named");
}
