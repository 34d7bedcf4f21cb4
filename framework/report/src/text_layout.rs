//! Lines and tables of at most 80 columns, and rows of Markdown tables.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, presets::UTF8_HORIZONTAL_ONLY};

/// The largest width of a line.
pub(crate) const COLUMNS: u16 = 80;

/// Appends the sentence in lines of at most 80 columns, the later ones indented like the sign in front.
pub(crate) fn append_wrapped(text: &mut String, sign: &str, sentence: &str) {
    let indent = " ".repeat(sign.chars().count());
    let _ = writeln!(text, "{}", wb_messages::wrap(sentence, sign, &indent, COLUMNS.into()));
}

pub(crate) fn empty_table(header: Vec<String>, right: &[usize]) -> Table {
    let mut table = Table::new();
    table
        .load_style(UTF8_HORIZONTAL_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(COLUMNS);
    table.style_mut().row_separator = LineStyle::none();
    table.set_header(header);
    for column in table.column_iter_mut() {
        column.set_padding((0, 1));
    }
    for &index in right {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// A row of a Markdown table; the bars in its cells are escaped.
pub(crate) fn table_row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
    format!("| {} |\n", cells.join(" | "))
}
