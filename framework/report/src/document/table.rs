//! A table: named columns and rows of cells, for every medium and for other programs.

use wb_messages::layout::Align;

use super::{Inline, Medium};

/// A table.
pub struct Table {
    /// Further classes of the table on a page.
    pub(super) class: &'static str,
    pub(super) columns: Vec<Column>,
    /// The class of each row on a page, and its cells.
    pub(super) rows: Vec<(&'static str, Vec<Inline>)>,
}

/// A column with the side that its cells are at.
pub struct Column {
    pub(super) title: Inline,
    pub(super) align: Align,
}

/// A column of texts.
pub fn left(title: impl Into<Inline>) -> Column {
    Column { title: title.into(), align: Align::Left }
}

/// A column of numbers.
pub fn right(title: impl Into<Inline>) -> Column {
    Column { title: title.into(), align: Align::Right }
}

impl Table {
    /// A table without rows.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self { class: "results", columns: columns.into_iter().collect(), rows: vec![] }
    }

    /// The same table with other classes on a page.
    pub fn with_class(self, class: &'static str) -> Self {
        Self { class, ..self }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<Inline>>) {
        self.row_of_class("", cells);
    }

    /// Adds a row with a class on a page.
    ///
    /// # Panics
    /// If there is not one cell for each column.
    pub fn row_of_class(&mut self, class: &'static str, cells: impl IntoIterator<Item = impl Into<Inline>>) {
        let cells: Vec<Inline> = cells.into_iter().map(Into::into).collect();
        assert_eq!(cells.len(), self.columns.len(), "one cell for each column");
        self.rows.push((class, cells));
    }

    /// The same table without the columns in which every cell is `empty`.
    pub fn without_empty_columns(mut self, empty: &str) -> Self {
        let is_shown =
            |at: usize| self.rows.iter().any(|(_, cells)| cells[at].text(Medium::Markdown) != empty);
        let shown: Vec<bool> = (0..self.columns.len()).map(is_shown).collect();
        let mut kept = shown.iter();
        self.columns.retain(|_| kept.next() == Some(&true));
        for (_, cells) in &mut self.rows {
            let mut kept = shown.iter();
            cells.retain(|_| kept.next() == Some(&true));
        }
        self
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The header and the rows as CSV with `\n` line ends.
    pub fn to_csv(&self) -> String {
        let mut writer = ::csv::Writer::from_writer(Vec::new());
        let header = self.columns.iter().map(|column| &column.title).collect();
        let rows = self.rows.iter().map(|(_, cells)| cells.iter().collect());
        for line in std::iter::once(header).chain(rows) {
            let line: Vec<&Inline> = line;
            let cells = line.iter().map(|cell| cell.text(Medium::Terminal(0)));
            writer.write_record(cells).expect("memory takes every row");
        }
        let bytes = writer.into_inner().expect("memory does not refuse bytes");
        String::from_utf8(bytes).expect("the cells are UTF-8")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "one cell for each column")]
    fn a_row_has_a_cell_for_every_column() {
        Table::new([left("a"), left("b")]).row(["only one"]);
    }

    #[test]
    fn a_table_without_titles_has_no_header() {
        let mut table = Table::new([left(""), right("")]);
        table.row(["tree", "7"]);
        assert_eq!(table.to_text(40), "────────\ntree  7 \n────────");
    }

    #[test]
    fn a_cell_cannot_add_a_row_or_a_column() {
        let mut table = Table::new([left("a"), right("b")]);
        table.row(["x|y\n| z", "1,5\n2"]);
        let mut document = crate::document::Document::new(Medium::Markdown);
        let csv = table.to_csv();
        document.table(table);
        assert_eq!(document.to_text(), "| a | b |\n| --- | --- |\n| x\\|y \\| z | 1,5 2 |\n");
        assert_eq!(csv, "a,b\n\"x|y\n| z\",\"1,5\n2\"\n");
    }
}
