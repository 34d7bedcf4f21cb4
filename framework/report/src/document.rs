//! One document under every report: headings, paragraphs, lists, tables, figures and code, and a renderer for each medium.
//!
//! A document is built for one medium, because a page has columns and figures that a terminal has no room for; the builder asks
//! [`Document::is_page`] and [`Document::is_terminal`]. Only the renderers know how a medium shows a block: the text of a
//! terminal and of Markdown in `text`, that of a page in `page`.
//!
//! ```
//! use wb_report::document::{Document, Medium, Table, left, right};
//! let report = |medium| {
//!     let mut document = Document::new(medium);
//!     document.heading(2, "Times");
//!     let mut table = Table::new([left("ranks"), right("S")]);
//!     table.row(["2", "1.9"]);
//!     document.table(table);
//!     document
//! };
//! assert_eq!(report(Medium::Markdown).to_text(), "## Times\n\n| ranks | S |\n| --- | --- |\n| 2 | 1.9 |\n");
//! assert!(report(Medium::Terminal(40)).to_text().starts_with("Times\n\n───"));
//! assert!(report(Medium::Page).to_markup().into_string().starts_with("<h2>Times</h2>"));
//! ```
mod inline;
mod page;
mod table;
mod text;

use maud::Markup;

pub use inline::{Inline, code, code_spans, strong, styled};
pub use table::{Column, Table, left, right};

/// Where a document is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// A terminal of this many columns.
    Terminal(u16),
    /// A file of Markdown.
    Markdown,
    /// A page of HTML.
    Page,
}

/// The class of a paragraph that makes the numbers doubtful.
const ALARM: &str = "alarm";

/// The content of a report, in one language and for one medium.
pub struct Document {
    medium: Medium,
    blocks: Vec<Block>,
}

enum Block {
    Heading(u8, Inline),
    /// A paragraph with its class on a page.
    Paragraph(&'static str, Inline),
    List(List, Vec<Item>),
    Table(Table),
    /// Caption, picture of a page, note.
    Figure(String, Markup, String),
    /// Caption, file beside the document.
    Image(String, String),
    Code(String),
    Group(BlockGroup, Vec<Block>),
    Markup(Markup),
}

/// The form of a list, with its class on a page.
#[derive(Clone, Copy)]
pub enum List {
    /// Each item is a line of its own.
    Lines,
    /// Behind bullets.
    Bullets(&'static str),
    /// Behind numbers.
    Numbers(&'static str),
}

/// What blocks belong to; only a page shows it, but for details.
pub enum BlockGroup {
    /// A section with its class.
    Section(String),
    /// The header of the page.
    Header,
    /// Figures side by side.
    Figures,
    /// What the reader can open and close, below its summary.
    Details {
        /// The line that is always shown.
        summary: String,
        /// Whether it is open at first.
        is_open: bool,
    },
}

/// An item of a list, behind its sign if it has one.
pub struct Item {
    /// A state: its class and its sign on a page, and the word for it.
    sign: Option<(&'static str, &'static str, Inline)>,
    text: Inline,
}

impl Item {
    /// An item in a state, which is a sign on a page and a word elsewhere.
    pub fn with_sign(class: &'static str, sign: &'static str, word: Inline, text: impl Into<Inline>) -> Self {
        Self { sign: Some((class, sign, word)), text: text.into() }
    }
}

impl<T: Into<Inline>> From<T> for Item {
    fn from(text: T) -> Self {
        Self { sign: None, text: text.into() }
    }
}

impl Document {
    /// An empty document.
    pub fn new(medium: Medium) -> Self {
        Self { medium, blocks: vec![] }
    }

    /// Whether it is read as a page.
    pub fn is_page(&self) -> bool {
        self.medium == Medium::Page
    }

    /// Whether it is read on a terminal.
    pub fn is_terminal(&self) -> bool {
        matches!(self.medium, Medium::Terminal(_))
    }

    /// A heading; level 1 is that of the document.
    pub fn heading(&mut self, level: u8, text: impl Into<Inline>) {
        self.blocks.push(Block::Heading(level, text.into()));
    }

    /// A paragraph.
    pub fn paragraph(&mut self, text: impl Into<Inline>) {
        self.blocks.push(Block::Paragraph("", text.into()));
    }

    /// The first paragraph below a heading.
    pub fn lead(&mut self, text: impl Into<Inline>) {
        self.blocks.push(Block::Paragraph("lead", text.into()));
    }

    /// A remark of less importance.
    pub fn note(&mut self, text: impl Into<Inline>) {
        self.blocks.push(Block::Paragraph("note", text.into()));
    }

    /// A remark that makes the numbers doubtful.
    pub fn alarm(&mut self, text: impl Into<Inline>) {
        self.blocks.push(Block::Paragraph(ALARM, text.into()));
    }

    /// A list; nothing without items.
    pub fn list(&mut self, form: List, items: impl IntoIterator<Item = impl Into<Item>>) {
        let items: Vec<Item> = items.into_iter().map(Into::into).collect();
        if !items.is_empty() {
            self.blocks.push(Block::List(form, items));
        }
    }

    /// A table.
    pub fn table(&mut self, table: Table) {
        self.blocks.push(Block::Table(table));
    }

    /// A picture of a page below its caption, with a note about it.
    pub fn figure(&mut self, caption: &str, picture: Markup, note: &str) {
        self.blocks.push(Block::Figure(caption.to_owned(), picture, note.to_owned()));
    }

    /// A picture of Markdown, in a file beside the document.
    pub fn image(&mut self, caption: String, file: String) {
        self.blocks.push(Block::Image(caption, file));
    }

    /// What a program printed.
    pub fn code(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Code(text.into()));
    }

    /// What only a page has.
    pub fn markup(&mut self, markup: Markup) {
        self.blocks.push(Block::Markup(markup));
    }

    /// A section; its class is that of a page.
    pub fn section(&mut self, class: &str, write: impl FnOnce(&mut Self)) {
        self.group(BlockGroup::Section(class.to_owned()), write);
    }

    /// Blocks that belong together.
    pub fn group(&mut self, group: BlockGroup, write: impl FnOnce(&mut Self)) {
        let mut blocks = Self::new(self.medium);
        write(&mut blocks);
        self.blocks.push(Block::Group(group, blocks.blocks));
    }
}
