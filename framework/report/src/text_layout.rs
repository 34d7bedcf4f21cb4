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

/// A text of at most `width` columns: of a longer one the beginning.
pub(crate) fn shortened(text: &str, width: usize) -> String {
    match text.chars().count() <= width {
        true => text.to_owned(),
        false => text.chars().take(width - 1).chain(['…']).collect(),
    }
}

/// The side of its column that a cell is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Rows of cells as lines of equal width, a space between two columns. No cell is folded.
pub(crate) fn aligned<const N: usize>(rows: &[[String; N]], align: &[Align; N]) -> Vec<String> {
    let columns = |cell: &String| cell.chars().count();
    let width = |column: usize| rows.iter().map(|row| columns(&row[column])).max().unwrap_or(0);
    let used: Vec<usize> = (0..N).filter(|column| width(*column) > 0).collect();
    let cell = |row: &[String; N], column: usize| {
        let (cell, width) = (&row[column], width(column));
        match align[column] {
            Align::Left => format!("{cell:<width$}"),
            Align::Right => format!("{cell:>width$}"),
        }
    };
    rows.iter()
        .map(|row| used.iter().map(|column| cell(row, *column)).collect::<Vec<_>>().join(" "))
        .collect()
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
