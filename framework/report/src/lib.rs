//! Reports of records: tables, charts and pages. Records in, text out.
//!
//! Every function here is pure: it runs nothing, reads no file and no clock, so the same records give the same bytes,
//! and a committed report can be checked against its records. All of them render one analysis of the records, which
//! withholds invalid numbers: no efficiency at more ranks than usable cores, none from repetitions too short for the
//! clock, no speed-up of a wrong result, none at all for a communication operation. [`scoreboard`] makes the pages of a
//! course, [`demo`] a synthetic course.
//!
//! ```
//! use wb_messages::Lang;
//! let records = [wb_record::example()];
//! let page = wb_report::html(&records, Lang::En);
//! assert!(page.starts_with("<!DOCTYPE html>"));
//! assert_eq!(page, wb_report::html(&records, Lang::En));
//! ```
#![forbid(unsafe_code)]

mod analysis;
pub mod barriers;
pub mod blocks;
mod bottleneck;
mod chart;
pub mod collectives;
mod csv;
pub mod demo;
pub mod document;
mod evidence;
mod format;
mod functional;
mod html;
mod labels;
mod markdown;
mod method;
mod model;
mod overview;
mod prediction;
mod report;
pub mod run_rules;
pub mod scoreboard;
mod screen;
mod sections;
mod setup;
mod standalone_page;
mod summary;
mod task;
pub mod trace;
mod variants;

pub use evidence::{performance_evidence, version_evidence};
pub use overview::{OverviewRow, overview};
pub use report::{TaskReport, markdown_in_all_languages};
pub use sections::{are_blocks_current, section_numbers, sections, with_section};
pub use standalone_page::standalone_page;
pub use summary::IndexEntry;
pub use variants::{VariantsPage, VariantsRow};
use wb_messages::Lang;
use wb_record::Record;

/// The result of one task in at most 22 lines of at most 80 columns, without colours. `end` is the last line: where the rest is.
///
/// Of the records, the last run of the last record's task is rendered; earlier runs had other conditions and are not mixed
/// in.
pub fn screen(records: &[Record], end: &str, lang: Lang) -> String {
    TaskReport::new(records).screen(end, lang)
}

/// The generated text of [`markdown`] for a terminal of `width` columns, without colours.
pub fn terminal(records: &[Record], lang: Lang, width: u16) -> String {
    TaskReport::new(records).terminal(lang, width)
}

/// The predictions of one task as tables for a terminal, at most 80 columns wide, without colours; empty when there are none
/// among the records.
pub fn predictions(records: &[Record], lang: Lang) -> String {
    prediction::render(records, lang)
}

/// The report of one task as `report.md`: the course's sections with the numbers filled in, the analysis left to write.
///
/// Generated text is in blocks ([`blocks`]); all else is the author's. An existing document is updated with [`blocks::update`]
/// and never replaced.
pub fn markdown(records: &[Record], lang: Lang) -> String {
    let [english, russian] = markdown_in_all_languages(records);
    match lang {
        Lang::En => english,
        Lang::Ru => russian,
    }
}

/// The report of one task as one offline page: `report.html` in English, `report.ru.html` in Russian, which link each
/// other, the index one folder up and `records.jsonl` beside them.
pub fn html(records: &[Record], lang: Lang) -> String {
    TaskReport::new(records).html(lang)
}

/// The page of all tasks, one summary for each: `index.html` in English, `index.ru.html` in Russian, which link
/// `<task>/report.html` and `<task>/report.ru.html`. Tasks are in the given order; behind them, each with its reason,
/// those without a report.
pub fn index(tasks: &[IndexEntry], failed: &[FailedReport], lang: Lang) -> String {
    html::index::page(tasks, failed, lang)
}

/// A task that has no report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedReport {
    /// The task's name.
    pub task: String,
    /// The reason.
    pub reason: String,
}

/// The result table of one task as CSV, times in nanoseconds; a withheld number is an empty field.
/// Only the header for a communication assignment, which has no speed-up.
pub fn csv(records: &[Record]) -> String {
    TaskReport::new(records).csv()
}

// The tests of the interface use the crate by its name, as others do.
#[cfg(test)]
extern crate self as wb_report;
#[cfg(test)]
#[path = "../tests/mod.rs"]
mod interface;
