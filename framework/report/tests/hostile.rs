//! Texts of records that are markup, formulas, escape sequences or invisible are text in every format.

use super::synthetic::SyntheticRun;
use wb_messages::Lang;
use wb_record::{
    BarrierLine, Measurement, Record, SeriesFailure, SeriesOutcome, TestOutcome, Trace, Version,
    example_barriers, example_trace,
};

/// What is put behind every text. Quotes and brackets for HTML, marks for Markdown, and what a terminal would obey.
const HOSTILE_TEXT: &str = "<x y=\"1\" z='2'>&lt;|*b*`c`[d](e:f)<!--\u{1b}[2J\u{202e}\0\n# g\n---\n\u{2066}";

/// The records as they are read from a file whose every text ends like this, but for the package's name.
fn with_hostile_texts(records: &[Record]) -> Vec<Record> {
    let lines: String = records
        .iter()
        .map(|record| {
            let mut record = record.clone();
            record.map_texts(&mut |text| format!("{text}{HOSTILE_TEXT}"));
            record.subject.task = super::synthetic::TASK.to_owned();
            if let Measurement::Trace(trace) = &mut record.measurement {
                trace.subject.task = super::synthetic::TASK.to_owned();
            }
            record.to_line() + "\n"
        })
        .collect();
    wb_record::read_all(&lines).expect("readable")
}

/// Runs that show every kind of text between them.
fn cases() -> Vec<Vec<Record>> {
    let complete = SyntheticRun::complete().functional("a_test", 2, TestOutcome::Hang, Some("rank 1 waits"));
    let mut failed = SyntheticRun::new().plan(&[1, 2]).timing(Version::Seq, 1, 400.0);
    let series = failed.series(Version::Mpi, 2);
    failed.push(SeriesOutcome {
        series,
        converged: false,
        half_width: None,
        budget_s: 1.0,
        spent_s: 1.0,
        repeated_launches: 0,
        failure: Some(SeriesFailure::Crashed { reason: "rank 1: panicked".into() }),
    });
    let sweeps = SyntheticRun::new().sweep(2, 1.04).sweep(4, 0.9);
    let cases = [complete.records, failed.model("m", &[2]).records, sweeps.records];
    cases.iter().map(|records| with_hostile_texts(records)).collect()
}

/// No character that a terminal obeys or a reader does not see, but for the ends of lines.
fn is_visible(text: &str) -> bool {
    !text.chars().any(|c| {
        c != '\n'
            && (c.is_control()
                || ('\u{202a}'..='\u{202e}').contains(&c)
                || ('\u{2066}'..='\u{2069}').contains(&c))
    })
}

#[test]
fn no_text_is_markup_of_a_page() {
    for records in cases() {
        for lang in Lang::ALL {
            let summary: Vec<_> = wb_report::IndexEntry::from_records(&records).into_iter().collect();
            for (least, page) in
                [(15, wb_report::html(&records, lang)), (4, wb_report::index(&summary, &[], lang))]
            {
                assert!(!page.contains("<x") && !page.contains("<!--"), "markup");
                assert!(!page.contains("y=\"1\"") && !page.contains("y='"), "a quote ends an attribute");
                // The canary: the texts are there, in their escape.
                let escaped = page.matches("&lt;x y=&quot;1&quot;").count();
                assert!(escaped >= least, "{escaped} texts");
                assert!(page.contains("Ivan Ivanov&lt;x") && page.contains("3823B1PR1&lt;x"));
                assert!(is_visible(&page));
            }
        }
    }
}

#[test]
fn no_text_is_markup_of_a_document() {
    for records in cases() {
        for lang in Lang::ALL {
            let text = wb_report::markdown(&records, lang);
            for markup in ["<x", "*b*", "`c`", "[d]", "(e:f)<", "\n# g", "<!--\\", "&lt;|"] {
                assert!(!text.contains(markup), "{markup}");
            }
            assert!(
                text.contains(
                    "Ivan Ivanov&lt;x y=\"1\" z='2'>&amp;lt;&#124;&#42;b&#42;&#96;c&#96;&#91;d&#93;"
                )
            );
            assert!(text.matches("&lt;x y=").count() >= 8);
            assert!(is_visible(&text));
            let (mut header, mut rows) = (0, 0);
            for line in text.lines() {
                let bars = line.matches('|').count();
                header = if line.starts_with('|') && header == 0 { bars } else { header };
                match line.starts_with('|') {
                    true => assert_eq!(bars, header, "{line}"),
                    false => header = 0,
                }
                rows += usize::from(line.starts_with('|'));
            }
            assert!(rows > 4);
        }
    }
}

#[test]
fn no_text_moves_the_cursor_of_a_terminal() {
    for records in cases() {
        for lang in Lang::ALL {
            let screen = wb_report::screen(&records, "", lang);
            for text in
                [screen, wb_report::terminal(&records, lang, 240), wb_report::predictions(&records, lang)]
            {
                assert!(is_visible(&text));
            }
            assert!(wb_report::terminal(&records, lang, 240).contains("\\u{1b}[2J\\u{202e}\\u{0}"));
        }
    }
}

#[test]
fn no_text_is_a_formula_or_ends_a_field_of_a_table() {
    let mut records = SyntheticRun::complete().records;
    records.iter_mut().for_each(|record| {
        let task = record.subject.task.clone();
        record.map_texts(&mut |text| format!("=1+\"{text}\",\n2"));
        record.subject.task = task;
    });
    let table = wb_report::csv(&records);
    let fields = |line: &str| {
        let mut quoted = false;
        line.chars()
            .filter(|c| {
                quoted ^= *c == '"';
                *c == ',' && !quoted
            })
            .count()
    };
    let wanted = fields(table.lines().next().expect("a header"));
    assert!(table.lines().count() > 6 && table.lines().all(|line| fields(line) == wanted), "{table}");
    assert!(table.contains("\"'=1+\"\"matrix\"\", 2\"") && !table.contains(",=") && !table.contains(",\"="));
}

#[test]
fn traces_and_barriers_are_text_too() {
    let mut trace = example_trace();
    trace.map_texts(&mut |text| format!("{text}{HOSTILE_TEXT}"));
    trace.subject.task = super::synthetic::TASK.to_owned();
    let trace = Trace::parse_line(&trace.to_line()).expect("readable");
    let lines: String = example_barriers()
        .into_iter()
        .map(|mut line| {
            line.map_texts(&mut |text| format!("{text}{HOSTILE_TEXT}"));
            line.to_line() + "\n"
        })
        .collect();
    let lines = BarrierLine::read_all(&lines).expect("readable");
    for lang in Lang::ALL {
        let mut pages =
            vec![wb_report::trace::html(&trace, &wb_report::trace::Sources::new(), lang).expect("sound")];
        pages.push(wb_report::barriers::html(&lines, lang));
        pages.extend(wb_report::barriers::charts(&lines, lang).into_iter().map(|(_, chart)| chart));
        for page in pages {
            assert!(!page.contains("<x") && !page.contains("y=\"1\"") && is_visible(&page));
        }
        let document = wb_report::barriers::markdown(&lines, lang);
        assert!(!document.contains("<x") && !document.contains("*b*") && document.contains("&lt;x y="));
        let terminal = wb_report::trace::terminal(&trace, lang).expect("sound");
        assert!(is_visible(&terminal) && is_visible(&wb_report::barriers::terminal(&lines, lang, 80)));
        assert!(is_visible(&document) && is_visible(&wb_report::barriers::csv(&lines)));
    }
}

#[test]
fn a_task_without_a_report_stands_in_the_index_with_its_reason() {
    let failed = wb_report::FailedReport { task: "a_b_c".into(), reason: format!("line 3: {HOSTILE_TEXT}") };
    for lang in Lang::ALL {
        let page = wb_report::index(&[], std::slice::from_ref(&failed), lang);
        assert!(page.contains("<code>a_b_c</code>: line 3: &lt;x y=&quot;1&quot;") && is_visible(&page));
        assert!(!wb_report::index(&[], &[], lang).contains("<h2>"));
    }
}
