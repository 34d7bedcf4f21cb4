//! The renderer of a page.

use maud::{Markup, html};
use wb_messages::layout::Align;

use super::{Block, BlockGroup, Document, Item, List, Medium, Table};

impl Document {
    /// The blocks of a page, without its frame.
    pub fn to_markup(&self) -> Markup {
        markup(&self.blocks)
    }
}

fn markup(blocks: &[Block]) -> Markup {
    html! { @for block in blocks { (block_markup(block)) } }
}

fn block_markup(block: &Block) -> Markup {
    html! {
        @match block {
            Block::Heading(1, text) => h1 { (text.markup()) },
            Block::Heading(2, text) => h2 { (text.markup()) },
            Block::Heading(_, text) => h3 { (text.markup()) },
            Block::Paragraph(class, text) => p class=[some(class)] { (text.markup()) },
            Block::List(List::Lines, items) => @for item in items { p { (item_markup(item)) } },
            Block::List(List::Bullets(class), items) => ul class=[some(class)] { (list_items(items)) },
            Block::List(List::Numbers(class), items) => ol class=[some(class)] { (list_items(items)) },
            Block::Table(table) => (table_markup(table)),
            Block::Figure(caption, picture, note) => figure {
                figcaption { (caption) } (picture) @if !note.is_empty() { p.note { (note) } }
            },
            Block::Group(BlockGroup::Section(class), blocks) => section class=[some(class)] { (markup(blocks)) },
            Block::Group(BlockGroup::Header, blocks) => header { (markup(blocks)) },
            Block::Group(BlockGroup::Figures, blocks) => div.figures { (markup(blocks)) },
            Block::Group(BlockGroup::Details { summary, is_open }, blocks) => details open[*is_open] {
                summary { (summary) } (markup(blocks))
            },
            Block::Code(text) => pre { (text) },
            Block::Image(..) => {},
            Block::Markup(markup) => (markup),
        }
    }
}

/// The class of an element, if it has one.
fn some(class: &str) -> Option<&str> {
    Some(class).filter(|class| !class.is_empty())
}

fn list_items(items: &[Item]) -> Markup {
    html! { @for item in items { li class=[item.sign.as_ref().map(|(class, ..)| class)] { (item_markup(item)) } } }
}

fn item_markup(item: &Item) -> Markup {
    html! {
        @if let Some((_, sign, word)) = &item.sign {
            span.sign role="img" aria-label=(word.text(Medium::Page)) { (sign) } span { (item.text.markup()) }
        } @else { (item.text.markup()) }
    }
}

/// The first cell of a row names the row.
fn table_markup(table: &Table) -> Markup {
    let class = |at: usize| (table.columns[at].align == Align::Left).then_some("text");
    html! {
        div.scroll { table class=[some(table.class)] {
            thead { tr { @for (at, column) in table.columns.iter().enumerate() {
                @if column.title.text(Medium::Page).is_empty() { td {} }
                @else { th class=[class(at)] scope="col" { (column.title.markup()) } }
            } } }
            tbody { @for (row, cells) in &table.rows { tr class=[some(row)] {
                @for (at, cell) in cells.iter().enumerate() {
                    @if at == 0 { th class=[class(at)] scope="row" { (cell.markup()) } }
                    @else { td class=[class(at)] { (cell.markup()) } }
                }
            } } }
        } }
    }
}
