//! The trace on a terminal: the words, and the parts of every rank's time over the ranks.
use std::fmt::Write as _;

use wb_messages::{Lang, report::trace as text};

use super::summary::TraceSummary;
use crate::terminal::{append_wrapped, empty_table};

/// What the run was, words and table, at most 80 columns wide.
pub(super) fn render(told: &TraceSummary, lang: Lang) -> String {
    let mut said = String::new();
    append_wrapped(&mut said, "", &told.lead);
    told.remarks.iter().for_each(|remark| append_wrapped(&mut said, "! ", remark));
    said.push('\n');
    said + &body(told, lang)
}

/// Words and table.
pub(crate) fn body(told: &TraceSummary, lang: Lang) -> String {
    let mut said = String::new();
    told.paragraph.iter().for_each(|sentence| append_wrapped(&mut said, "", sentence));
    said.push('\n');
    append_wrapped(&mut said, "", &text::estimates(lang));
    told.estimates.iter().for_each(|line| append_wrapped(&mut said, "  ", line));
    told.basis.iter().for_each(|line| append_wrapped(&mut said, "", line));
    let mut table = empty_table(TraceSummary::columns(lang).into(), &[1, 2, 3, 4]);
    for row in &told.rows {
        table.add_row(&row.cells);
    }
    let _ = writeln!(said, "\n{table}");
    said
}
