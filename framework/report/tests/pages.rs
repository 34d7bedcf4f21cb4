//! What every text keeps: the same bytes again, the same numbers in both languages, eighty columns, one offline file.

use super::synthetic::{SyntheticRun, cases};
use wb_messages::Lang;
use wb_record::Record;

fn texts(records: &[Record], lang: Lang) -> [String; 4] {
    [
        wb_report::terminal(records, lang, 240),
        wb_report::markdown(records, lang),
        wb_report::html(records, lang),
        index(&[records], lang),
    ]
}

fn index(tasks: &[&[Record]], lang: Lang) -> String {
    let summaries: Vec<_> =
        tasks.iter().filter_map(|records| wb_report::IndexEntry::from_records(records)).collect();
    wb_report::index(&summaries, &[], lang)
}

/// A Russian text with decimal points, as `numbers` reads them.
fn with_points(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let mark = |at: usize| chars[at] == ',' && at > 0 && digit(at - 1) && digit(at + 1);
    (0..chars.len()).map(|at| if mark(at) { '.' } else { chars[at] }).collect()
}

/// The numbers of a text in order, without those inside words (`log2`, `s-run1`).
fn numbers(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '.' || c == '_';
    let tokens = text.split(|c: char| !is_part(c)).map(|token| token.trim_matches('.'));
    tokens
        .filter(|t| t.starts_with(|c: char| c.is_ascii_digit()) && t.parse::<f64>().is_ok())
        .map(str::to_owned)
        .collect()
}

fn sorted(mut numbers: Vec<String>) -> Vec<String> {
    numbers.sort();
    numbers
}

#[test]
fn the_same_records_give_the_same_bytes_even_after_a_round_trip_through_lines() {
    for records in cases() {
        let lines: String = records.iter().map(|record| record.to_line() + "\n").collect();
        let again = wb_record::read_all(&lines).unwrap();
        for lang in Lang::ALL {
            assert_eq!(texts(&records, lang), texts(&again, lang));
        }
        assert_eq!(wb_report::csv(&records), wb_report::csv(&again));
    }
}

#[test]
fn both_languages_tell_the_same_numbers() {
    for records in cases() {
        let markdown = |lang| sorted(numbers(&wb_report::markdown(&records, lang)));
        // "Write two or three sentences" has no digits, "2,000 draws" is 2000 in Russian: compare the results only.
        let results = |lang| {
            let text = wb_report::markdown(&records, lang);
            let body = text.split("## 7. ").nth(1).and_then(|rest| rest.split("## 8. ").next()).unwrap_or("");
            sorted(numbers(&if lang == Lang::Ru { with_points(body) } else { body.to_owned() }))
        };
        assert_eq!(results(Lang::En), results(Lang::Ru));
        assert!(records.is_empty() || markdown(Lang::En).len() > 10);
    }
}

#[test]
fn the_comparison_of_numbers_can_fail() {
    assert_ne!(sorted(numbers("1.94 of 2")), sorted(numbers("1.95 из 2")));
    assert_eq!(numbers("log2 P = 1.50, [3, 4]."), ["1.50", "3", "4"]);
}

#[test]
fn a_terminal_report_keeps_within_eighty_columns() {
    for records in cases() {
        for lang in Lang::ALL {
            for line in wb_report::terminal(&records, lang, 80).lines() {
                assert!(line.chars().count() <= 80, "{} columns: {line}", line.chars().count());
            }
        }
    }
}

#[test]
fn a_page_is_one_file_without_scripts_and_fetches_nothing() {
    for records in cases() {
        for lang in Lang::ALL {
            for page in [wb_report::html(&records, lang), index(&[&records], lang)] {
                for forbidden in ["<script", "@import", "src=", "url(", "<link", "https://"] {
                    assert!(!page.contains(forbidden), "{forbidden}");
                }
                let elsewhere = page.replace("http://www.w3.org/2000/svg", "");
                assert!(!elsewhere.contains("http://"));
            }
        }
    }
}

#[test]
fn a_page_serves_dark_print_and_those_who_hear_it() {
    let page = wb_report::html(&SyntheticRun::good().records, Lang::Ru);
    for required in [
        "prefers-color-scheme:dark",
        "@media print",
        r#"<html lang="ru">"#,
        "report.html",
        "../index.ru.html",
    ] {
        assert!(page.contains(required), "{required}");
    }
    let charts = page.matches("<svg").count();
    assert_eq!(charts, 4);
    assert_eq!(page.matches("<desc>").count(), charts);
    assert!(page.matches(r#"role="img""#).count() >= charts);
}

#[test]
fn the_course_s_sections_are_all_there() {
    let text = wb_report::markdown(&SyntheticRun::good().records, Lang::En);
    let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("## ")).collect();
    assert_eq!(
        headings,
        [
            "## 1. Introduction",
            "## 2. Problem statement",
            "## 3. Baseline algorithm (sequential)",
            "## 4. Parallelisation scheme",
            "## 5. Implementation details",
            "## 6. Experimental setup",
            "## 7. Results",
            "## 8. Conclusions",
            "## 9. References",
            "## Appendix: method",
        ]
    );
    assert!(text.contains("| Mode | Count | Time, s |"));
}

#[test]
fn a_model_has_dashed_lines_in_every_chart_and_rows_in_every_table() {
    let page = wb_report::html(&SyntheticRun::complete().records, Lang::En);
    for class in ["m-run", "m-run far"] {
        assert_eq!(
            page.matches(&format!("<g class=\"{class}\"><polyline")).count(),
            3,
            "{class}: T, S and E"
        );
    }
    assert_eq!(page.matches("<tr class=\"model\">").count(), 5);
    assert!(page.contains(".m-run .path,.m-pipeline .path{stroke-dasharray"));
    assert!(!wb_report::html(&SyntheticRun::good().records, Lang::En).contains("class=\"m-"));
}

#[test]
fn the_index_lists_every_task_once() {
    let mut other = SyntheticRun::good();
    other.records.iter_mut().for_each(|record| record.subject.task = "petrov_p_ring".into());
    let good = SyntheticRun::good().records;
    let index = index(&[&good, &other.records, &[]], Lang::Ru);
    assert_eq!(index.matches("/report.ru.html").count(), 2);
    for file in ["report.ru.html", "records.jsonl"] {
        assert!(index.contains(&format!("href=\"petrov_p_ring/{file}\"")), "{file}");
    }
}
