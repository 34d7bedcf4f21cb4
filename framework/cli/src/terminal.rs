//! Tables and lines that fit the terminal.
use wb_report::document::Table;

/// The width of an output without a width: a pipe, a file, or a terminal that says 0.
const WIDTH: u16 = 80;

/// Columns of the terminal that standard output goes to; 80 where it goes elsewhere.
pub(crate) fn width() -> u16 {
    comfy_table::Table::new().width().filter(|width| *width > 0).unwrap_or(WIDTH)
}

/// A table whose cells break their lines to stay within [`width`].
pub(crate) fn text(table: &Table) -> String {
    table.to_text(width())
}
