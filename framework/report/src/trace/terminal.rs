//! The trace on a terminal: the sentences, and the parts of every rank's time.
use std::fmt::Write as _;

use wb_messages::{Lang, report::trace as text};

use super::summary::TraceSummary;
use crate::text_layout::{append_wrapped, empty_table};

/// The run, the sentences and the table, at most 80 columns wide.
pub(super) fn render(summary: &TraceSummary, lang: Lang) -> String {
    let mut output = String::new();
    append_wrapped(&mut output, "", &summary.lead);
    summary.remarks.iter().for_each(|remark| append_wrapped(&mut output, "! ", remark));
    output.push('\n');
    summary.paragraph.iter().for_each(|sentence| append_wrapped(&mut output, "", sentence));
    output.push('\n');
    append_wrapped(&mut output, "", &text::estimates(lang));
    summary.estimates.iter().for_each(|line| append_wrapped(&mut output, "  ", line));
    summary.basis.iter().for_each(|line| append_wrapped(&mut output, "", line));
    let mut table = empty_table(TraceSummary::columns(lang).into(), &[1, 2, 3, 4]);
    for row in &summary.rows {
        table.add_row(&row.cells);
    }
    let _ = writeln!(output, "\n{table}");
    output
}
