//! All generated text of `report.md` on a terminal: lines of the given width, tables with columns.

use wb_messages::{Lang, wrap};

use crate::{analysis::TaskAnalysis, labels, markdown, text_layout::empty_table};

/// The whole text, in lines of at most `width` columns.
pub(crate) fn render(analysis: &TaskAnalysis<'_>, lang: Lang, width: u16) -> String {
    let title = format!("{} ({})\n", labels::title(lang, analysis.subject), analysis.subject.task);
    let draw = |header: &[String], rows: &[Vec<String>]| {
        let mut table = empty_table(header.to_vec(), &[]);
        table.set_width(width).add_rows(rows);
        format!("{table}\n\n")
    };
    let text = markdown::generated(lang, analysis, &draw);
    let lines = title.lines().chain(text.lines()).map(|line| fitted(line, width.into()));
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

/// A line of a table as it is, since it fits; a longer sentence in several lines.
fn fitted(line: &str, width: usize) -> String {
    match line.chars().count() <= width {
        true => line.trim_end().to_owned(),
        false => wrap(line, "", if line.starts_with("- ") { "  " } else { "" }, width),
    }
}
