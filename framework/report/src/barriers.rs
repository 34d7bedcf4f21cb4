//! The report of the barrier benchmark: tables, charts and pages of one run.
//!
//! Pure functions of the records, as everywhere in this crate. A form is compared with the `MPI_Barrier` of the same
//! job, visit by visit: each with the one nearest in time, so that a drift of the machine affects both. Where ranks share
//! cores, every table and chart says so.
//!
//! ```
//! use wb_messages::Lang;
//! use wb_report::barriers;
//! let lines = wb_record::example_barriers();
//! assert!(barriers::terminal(&lines, Lang::En, 80).contains("dissemination"));
//! assert_eq!(barriers::html(&lines, Lang::Ru), barriers::html(&lines, Lang::Ru));
//! ```
mod analysis;
mod charts;
mod csv;
mod hosts;
mod report;
mod targets;

pub(crate) use self::{analysis::library, report::machine};

use analysis::BarrierAnalysis;
use wb_messages::{Lang, report::barriers as messages};
use wb_record::BarrierLine;

use crate::{document::Medium, html::shell};

/// The targets, the best form of each barrier and what failed, as tables for a terminal of `width` columns.
pub fn terminal(lines: &[BarrierLine], lang: Lang, width: u16) -> String {
    text(lines, lang, Medium::Terminal(width))
}

/// The same and all forms as `report.md`.
pub fn markdown(lines: &[BarrierLine], lang: Lang) -> String {
    let mut lines = lines.to_vec();
    lines
        .iter_mut()
        .for_each(|line| line.map_texts(&mut |text| wb_text::escape::markdown(text).into_owned()));
    text(&lines, lang, Medium::Markdown)
}

/// One offline page with charts: `report.html` in English, `report.ru.html` in Russian.
pub fn html(lines: &[BarrierLine], lang: Lang) -> String {
    let page = |analysis| report::document(&analysis, lang, Medium::Page).to_markup();
    let page = BarrierAnalysis::from_lines(lines).map(page);
    page.map_or_else(|| empty(lang), |page| shell(lang, &messages::title(lang), "report", &page))
}

/// All forms as CSV, times in nanoseconds; a missing measurement is an empty field.
pub fn csv(lines: &[BarrierLine]) -> String {
    BarrierAnalysis::from_lines(lines).map(|analysis| csv::table(&analysis)).unwrap_or_default()
}

/// Every chart as a file of its own: name and SVG.
pub fn charts(lines: &[BarrierLine], lang: Lang) -> Vec<(String, String)> {
    BarrierAnalysis::from_lines(lines).map(|analysis| charts::files(&analysis, lang)).unwrap_or_default()
}

fn text(lines: &[BarrierLine], lang: Lang, medium: Medium) -> String {
    let text = |analysis| report::document(&analysis, lang, medium).to_text();
    BarrierAnalysis::from_lines(lines).map_or_else(|| empty(lang), text)
}

fn empty(lang: Lang) -> String {
    format!("{}\n", messages::empty(lang))
}
