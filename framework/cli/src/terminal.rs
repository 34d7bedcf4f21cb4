//! Tables and lines that fit the terminal.
use comfy_table::{ContentArrangement, Table, presets::UTF8_FULL_CONDENSED};

/// The width of an output without a width: a pipe or a file.
const WIDTH: u16 = 80;

/// Columns of the terminal that standard output goes to; 80 where it goes elsewhere.
pub(crate) fn width() -> u16 {
    Table::new().width().unwrap_or(WIDTH)
}

/// An empty table whose cells break their lines to stay within [`width`].
pub(crate) fn table() -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width());
    table
}
