//! Columns of a terminal without lines between them, for tables whose cells are never folded.

/// A text of at most `width` columns: of a longer one the beginning.
///
/// ```
/// assert_eq!(wb_messages::layout::shortened("matrix", 4), "mat…");
/// ```
pub fn shortened(text: &str, width: usize) -> String {
    match text.chars().count() <= width {
        true => text.to_owned(),
        false => text.chars().take(width.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// The side of its column that a cell is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// Rows of cells as lines of equal width, a space between two columns; a column without any text is left out.
///
/// ```
/// use wb_messages::layout::{Align, aligned};
/// let rows = [["p", "S"], ["16", "9.50"]].map(|row| row.map(String::from));
/// assert_eq!(aligned(&rows, &[Align::Left, Align::Right]), ["p     S", "16 9.50"]);
/// ```
pub fn aligned<const N: usize>(rows: &[[String; N]], align: &[Align; N]) -> Vec<String> {
    let columns = |cell: &String| cell.chars().count();
    let width = |column: usize| rows.iter().map(|row| columns(&row[column])).max().unwrap_or(0);
    let used: Vec<(usize, usize)> =
        (0..N).map(|at| (at, width(at))).filter(|(_, width)| *width > 0).collect();
    let cell = |row: &[String; N], (column, width): (usize, usize)| match align[column] {
        Align::Left => format!("{:<width$}", row[column]),
        Align::Right => format!("{:>width$}", row[column]),
    };
    rows.iter().map(|row| used.iter().map(|of| cell(row, *of)).collect::<Vec<_>>().join(" ")).collect()
}
