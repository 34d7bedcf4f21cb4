//! The renderers of text: Markdown, and lines and tables of a terminal.

use comfy_table::{
    CellAlignment, ContentArrangement, LineStyle, Table as TextTable, presets::UTF8_HORIZONTAL_ONLY,
};
use wb_messages::{layout::Align, wrap};

use super::{ALARM, Block, BlockGroup, Document, Inline, Item, List, Medium, Table};

impl Document {
    /// The whole text, with an empty line between two blocks.
    pub fn to_text(&self) -> String {
        text(&self.blocks, self.medium) + "\n"
    }
}

impl Table {
    /// The table alone, for a terminal of `width` columns; a table whose columns have no titles has no header.
    pub fn to_text(&self, width: u16) -> String {
        terminal_table(self, width).to_string()
    }
}

fn text(blocks: &[Block], medium: Medium) -> String {
    let parts = blocks.iter().map(|block| block_text(block, medium)).filter(|text| !text.is_empty());
    parts.collect::<Vec<_>>().join("\n\n")
}

fn block_text(block: &Block, medium: Medium) -> String {
    match (block, medium) {
        (Block::Heading(level, title), Medium::Markdown) => {
            format!("{} {}", "#".repeat((*level).into()), title.text(medium))
        }
        (Block::Paragraph(ALARM, text), Medium::Markdown) => format!("**{}**", text.text(medium)),
        (Block::Paragraph(ALARM, text), _) => lines("! ", text, medium),
        (Block::Heading(_, text) | Block::Paragraph(_, text), _) => lines("", text, medium),
        (Block::List(form, items), _) => {
            let item = |(index, item): (usize, &Item)| item_text(*form, index, item, medium);
            items.iter().enumerate().map(item).collect::<Vec<_>>().join("\n")
        }
        (Block::Table(table), Medium::Terminal(width)) => table.to_text(width),
        (Block::Table(table), _) => markdown_table(table),
        (Block::Image(caption, file), Medium::Markdown) => format!("![{caption}]({file})"),
        (Block::Code(text), Medium::Markdown) => {
            let fence = "`".repeat(longest_run(text, '`').max(2) + 1);
            format!("{fence}text\n{}\n{fence}", text.trim_end())
        }
        (Block::Code(text), _) => text.clone(),
        (Block::Group(BlockGroup::Details { summary, is_open }, blocks), Medium::Markdown) => {
            let open = if *is_open { " open" } else { "" };
            let blocks = text(blocks, medium);
            format!("<details{open}><summary>{summary}</summary>\n\n{blocks}\n\n</details>")
        }
        (Block::Group(_, blocks), _) => text(blocks, medium),
        (Block::Image(..) | Block::Figure(..) | Block::Markup(_), _) => String::new(),
    }
}

/// A text behind its sign: on a terminal in lines that fit.
fn lines(sign: &str, text: &Inline, medium: Medium) -> String {
    let text = text.text(medium);
    match medium {
        Medium::Terminal(width) => wrap(&text, sign, &" ".repeat(sign.chars().count()), width.into()),
        _ => format!("{sign}{text}"),
    }
}

fn item_text(form: List, index: usize, item: &Item, medium: Medium) -> String {
    let sign = match form {
        List::Lines => String::new(),
        List::Bullets(_) => "- ".to_owned(),
        List::Numbers(_) => format!("{}. ", index + 1),
    };
    match &item.sign {
        Some((.., word)) => lines(&sign, &(word.clone() + ": " + item.text.clone()), medium),
        None => lines(&sign, &item.text, medium),
    }
}

/// The number of the most characters `of` in a row.
fn longest_run(text: &str, of: char) -> usize {
    text.split(|c| c != of).map(str::len).max().unwrap_or(0)
}

/// A table of Markdown; the bars in its cells are escaped.
fn markdown_table(table: &Table) -> String {
    let cell = |cell: &Inline| cell.text(Medium::Markdown).replace('|', "\\|").replace('\n', " ");
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let header = line(table.columns.iter().map(|column| cell(&column.title)).collect());
    let rule = line(vec!["---".to_owned(); table.columns.len()]);
    let rows = table.rows.iter().map(|(_, cells)| line(cells.iter().map(cell).collect()));
    [header, rule].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}

/// A table of a terminal: lines above and below, none between the rows.
fn terminal_table(table: &Table, width: u16) -> TextTable {
    let cell = |cell: &Inline| cell.text(Medium::Terminal(width));
    let mut shown = TextTable::new();
    shown
        .load_style(UTF8_HORIZONTAL_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width);
    shown.style_mut().row_separator = LineStyle::none();
    let header: Vec<String> = table.columns.iter().map(|column| cell(&column.title)).collect();
    if header.iter().any(|title| !title.is_empty()) {
        shown.set_header(header);
    }
    shown.add_rows(table.rows.iter().map(|(_, cells)| cells.iter().map(cell)));
    for (column, shown) in table.columns.iter().zip(shown.column_iter_mut()) {
        shown.set_padding((0, 1));
        if column.align == Align::Right {
            shown.set_cell_alignment(CellAlignment::Right);
        }
    }
    shown
}
