//! The outline of a page: headings with their anchors, blocks of code, tables, codes of findings, words in backticks.
//!
//! Both languages of a page have the same anchors. An English heading has the one that mdBook makes of its text; a Russian
//! heading names the English one in a comment, `## Запуск <!-- #running -->`, which [`explicit_anchors`] turns into an
//! attribute that mdBook understands. A host that shows the sources does not show the comment.
use std::collections::{BTreeSet, HashSet};

use pulldown_cmark::{CodeBlockKind, Event, OffsetIter, Options, Parser, Tag, TagEnd};

/// A heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageHeading {
    /// 1 for `#`.
    pub level: usize,
    /// The text without the anchor.
    pub text: String,
    /// The name that links use; `None` for a Russian heading that names none.
    pub anchor: Option<String>,
    /// The line, from 1.
    pub line: usize,
}

/// A block of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeBlock {
    /// The words after the opening fence: `console`, `rust,ignore`.
    pub kind: String,
    /// The lines.
    pub text: String,
    /// The line of the opening fence, from 1.
    pub line: usize,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableShape {
    /// The anchor of the section that contains it; empty above the first one.
    pub section: String,
    /// Rows below the heading.
    pub rows: usize,
    /// The line of its heading, from 1.
    pub line: usize,
}

/// What two languages of a page have in common.
#[derive(Clone, Debug, Default)]
pub struct PageOutline {
    /// The parts of this kind in the order of the page.
    pub headings: Vec<PageHeading>,
    /// The parts of this kind in the order of the page.
    pub blocks: Vec<CodeBlock>,
    /// The parts of this kind in the order of the page.
    pub tables: Vec<TableShape>,
    /// The codes of findings outside of blocks: `WB0020`.
    pub codes: BTreeSet<String>,
    /// The words in backticks.
    pub spans: BTreeSet<String>,
}

/// The events of a page with their places.
pub fn events(text: &str) -> OffsetIter<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter()
}

/// The line of a place, from 1.
pub fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// The codes of findings in a text, with their places.
pub fn codes_in(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices("WB").filter_map(|(at, _)| {
        let code = text.get(at..at + 6)?;
        let is_border = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        let is_whole = is_border(text[..at].chars().next_back()) && is_border(text[at + 6..].chars().next());
        (is_whole && code[2..].bytes().all(|byte| byte.is_ascii_digit())).then_some((at, code))
    })
}

/// The anchor that mdBook makes of a heading.
fn made_anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    kept.chars()
        .filter_map(|c| match c {
            c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
            c if c.is_whitespace() => Some('-'),
            _ => None,
        })
        .collect()
}

/// The anchor in a comment: `running` of `<!-- #running -->`.
fn named_anchor(comment: &str) -> Option<&str> {
    let anchor = comment.trim().strip_prefix("<!-- #")?.strip_suffix("-->")?.trim();
    (!anchor.is_empty() && !anchor.contains(char::is_whitespace)).then_some(anchor)
}

/// The page with the comments that name anchors as attributes of their headings: `## Запуск {#running}`.
pub fn explicit_anchors(text: &str) -> String {
    let mut is_code = false;
    let line = |line: &str| {
        is_code ^= line.trim_start().starts_with("```");
        let heading = line.starts_with('#').then(|| line.trim_end().rsplit_once(" <!-- ")).flatten();
        match heading {
            Some((heading, comment)) if !is_code => match named_anchor(&format!("<!-- {comment}")) {
                Some(anchor) => format!("{heading} {{#{anchor}}}\n"),
                None => line.to_owned(),
            },
            _ => line.to_owned(),
        }
    };
    text.split_inclusive('\n').map(line).collect()
}

impl PageOutline {
    /// The outline of a page.
    pub fn new(text: &str) -> Self {
        let mut outline = Self::default();
        let mut used = HashSet::new();
        let mut open: Option<PageHeading> = None;
        let mut is_block = false;
        for (event, place) in events(text) {
            let line = line_of(text, place.start);
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    let text = String::new();
                    open = Some(PageHeading { level: level as usize, text, anchor: None, line });
                }
                Event::End(TagEnd::Heading(_)) => {
                    outline.headings.extend(open.take().map(|heading| with_anchor(heading, &mut used)));
                }
                Event::InlineHtml(comment) => {
                    if let Some(heading) = &mut open {
                        heading.anchor = named_anchor(&comment).map(str::to_owned);
                    }
                }
                Event::Start(Tag::CodeBlock(kind)) => {
                    is_block = true;
                    outline.blocks.push(CodeBlock { kind: info(&kind), text: String::new(), line });
                }
                Event::End(TagEnd::CodeBlock) => is_block = false,
                Event::Text(words) if is_block => {
                    outline.blocks.last_mut().expect("a block is open").text += &words;
                }
                Event::Start(Tag::Table(_)) => {
                    let section = outline.headings.last().filter(|heading| heading.level > 1);
                    let section = section.and_then(|heading| heading.anchor.clone()).unwrap_or_default();
                    outline.tables.push(TableShape { section, rows: 0, line });
                }
                Event::End(TagEnd::TableRow) => outline.tables.last_mut().expect("a table is open").rows += 1,
                Event::Code(words) => outline.add_words(&words, true, &mut open),
                Event::Text(words) => outline.add_words(&words, false, &mut open),
                _ => {}
            }
        }
        outline
    }

    fn add_words(&mut self, words: &str, is_span: bool, open: &mut Option<PageHeading>) {
        if let Some(heading) = open {
            heading.text += words;
        }
        if is_span {
            self.spans.insert(words.to_owned());
        }
        self.codes.extend(codes_in(words).map(|(_, code)| code.to_owned()));
    }
}

fn info(kind: &CodeBlockKind<'_>) -> String {
    match kind {
        CodeBlockKind::Fenced(info) => info.to_string(),
        CodeBlockKind::Indented => String::new(),
    }
}

/// The heading with an anchor that no heading before it has; one in Cyrillic keeps only the anchor that it names.
fn with_anchor(mut heading: PageHeading, used: &mut HashSet<String>) -> PageHeading {
    heading.text = heading.text.trim().to_owned();
    if heading.anchor.is_none() && !heading.text.chars().any(|c| matches!(c, 'а'..='я' | 'А'..='Я')) {
        let made = made_anchor(&heading.text);
        let numbered = (1..).map(|number| format!("{made}-{number}"));
        heading.anchor = std::iter::once(made.clone()).chain(numbered).find(|name| !used.contains(name));
    }
    used.extend(heading.anchor.clone());
    heading
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anchors(text: &str) -> Vec<Option<String>> {
        PageOutline::new(text).headings.into_iter().map(|heading| heading.anchor).collect()
    }

    #[test]
    fn anchors_are_those_of_mdbook() {
        let text = "# `World`'s verbs\n\n## Names, and prose\n\n## Names, and prose\n";
        let expected =
            ["worlds-verbs", "names-and-prose", "names-and-prose-1"].map(|name| Some(name.to_owned()));
        assert_eq!(anchors(text), expected);
    }

    #[test]
    fn a_russian_heading_has_the_anchor_that_it_names() {
        let text = "# Запуск\n\n## Правила, и где они проверяются <!-- #the-rules -->\n";
        assert_eq!(anchors(text), [None, Some("the-rules".to_owned())]);
        let outline = PageOutline::new(text);
        assert_eq!(outline.headings[1].text, "Правила, и где они проверяются");
        assert_eq!(outline.headings[1].line, 3);
        assert!(explicit_anchors(text).ends_with("## Правила, и где они проверяются {#the-rules}\n"));
        let code = "```text\n# a <!-- #b -->\n```\n";
        assert_eq!(explicit_anchors(code), code);
    }

    #[test]
    fn blocks_tables_codes_and_words_in_backticks_are_found() {
        let text = "See WB0020, not XWB0021 or WB00211.\n\n```console\n$ cargo wb list  # `x` WB0001\n```\n\n| a | b |\n|---|---|\n| `send` | WB0003 |\n| c | d |\n";
        let outline = PageOutline::new(text);
        assert_eq!(outline.blocks.len(), 1);
        assert_eq!((outline.blocks[0].kind.as_str(), outline.blocks[0].line), ("console", 3));
        assert_eq!(outline.tables, [TableShape { section: String::new(), rows: 2, line: 7 }]);
        assert_eq!(outline.codes.into_iter().collect::<Vec<_>>(), ["WB0003", "WB0020"]);
        assert_eq!(outline.spans.into_iter().collect::<Vec<_>>(), ["send"]);
    }
}
