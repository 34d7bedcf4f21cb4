//! Generated blocks: the parts of a document that the program writes, between markers; all else is the author's.
//!
//! ```text
//! <!-- generated: results -->
//! ...
//! <!-- /generated: results 93a1b0c44e2f7d10 -->
//! ```
//! Invariant: [`update`] changes nothing outside of the blocks, and refuses a document whose markers do not determine its
//! blocks. The number in the closing marker is a checksum of the block's text: it distinguishes an edited block
//! from an old one.
//!
//! ```
//! use wb_report::blocks::{block, update};
//! let old = format!("{}My analysis.\n", block("results", "S = 1.9"));
//! let new = block("results", "S = 2.0");
//! let updated = update(&old, &new).unwrap();
//! assert!(updated.text.contains("S = 2.0") && updated.text.ends_with("My analysis.\n"));
//! assert!(updated.edited.is_empty());
//! ```
use std::{collections::BTreeMap, ops::Range};

/// What an opening and a closing marker begin with, behind `<!--`.
const OPENING_MARKER: &str = "generated:";
const CLOSING_MARKER: &str = "/generated";

/// A document with its blocks as they are now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdatedDocument {
    /// The whole document.
    pub text: String,
    /// Blocks whose former text was not what the program had written.
    pub edited: Vec<EditedBlock>,
}

/// An edited block; its edited text is not in the updated document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedBlock {
    /// The block's name.
    pub name: String,
    /// The line of its opening marker, from 1.
    pub line: usize,
}

/// The reason why the blocks of a document cannot be found reliably.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkerError {
    /// There is no marker.
    NoMarkers,
    /// A marker is neither an opening nor a closing one.
    Malformed {
        /// The line of the marker, from 1.
        line: usize,
    },
    /// A block has no closing marker before the next block or the end.
    Unclosed {
        /// The block's name.
        name: String,
        /// The line of its opening marker, from 1.
        line: usize,
    },
    /// A closing marker without its opening one.
    Unopened {
        /// The line of the marker, from 1.
        line: usize,
    },
    /// Two blocks of one name.
    Duplicate {
        /// The name.
        name: String,
        /// The line of the second, from 1.
        line: usize,
    },
    /// A block that the new document has and the old one does not.
    Missing {
        /// The name of the block.
        name: String,
    },
}

/// A generated block: `text` between the markers of `name`. Text that looks like a marker is made harmless.
pub fn block(name: &str, text: &str) -> String {
    let text = text.trim_matches('\n').replace("<!--", "&lt;!--");
    let body = if text.is_empty() { String::new() } else { format!("\n{text}\n\n") };
    format!(
        "<!-- {OPENING_MARKER} {name} -->\n{body}<!-- {CLOSING_MARKER}: {name} {:016x} -->\n",
        checksum(&text)
    )
}

/// `old` with the text of each of its blocks replaced by that of the block of the same name in `fresh`. Blocks may be in
/// any order; a block that `fresh` does not contain stays unchanged.
///
/// # Errors
/// [`MarkerError`] of `old`, which must then be left alone.
///
/// # Panics
/// If `fresh` was not made of [`block`]s with different names.
pub fn update(old: &str, fresh: &str) -> Result<UpdatedDocument, MarkerError> {
    let found = find(old)?;
    if found.is_empty() {
        return Err(MarkerError::NoMarkers);
    }
    let new = find(fresh).expect("a document of ours has whole blocks");
    if let Some(name) = new.keys().find(|name| !found.contains_key(*name)) {
        return Err(MarkerError::Missing { name: (*name).to_owned() });
    }
    let mut in_order: Vec<(&str, &BlockSpan)> = found.iter().map(|(name, block)| (*name, block)).collect();
    in_order.sort_by_key(|(_, block)| block.outer.start);
    let end_of_line = if old.contains("\r\n") { "\r\n" } else { "\n" };
    let (mut text, mut edited, mut copied) = (String::new(), Vec::new(), 0);
    for (name, here) in in_order {
        let Some(there) = new.get(name) else { continue };
        let (was, is) = (&old[here.inner.clone()], &fresh[there.inner.clone()]);
        if here.checksum != Some(checksum(was)) && normalised(was) != normalised(is) {
            edited.push(EditedBlock { name: name.to_owned(), line: here.line });
        }
        text.push_str(&old[copied..here.outer.start]);
        text.push_str(&fresh[there.outer.clone()].replace('\n', end_of_line));
        copied = here.outer.end;
    }
    text.push_str(&old[copied..]);
    Ok(UpdatedDocument { text, edited })
}

/// The author's part of a document: all text outside of its blocks.
///
/// # Errors
/// [`MarkerError`] of the document.
pub fn prose(text: &str) -> Result<String, MarkerError> {
    let blocks = find(text)?;
    if blocks.is_empty() {
        return Err(MarkerError::NoMarkers);
    }
    let mut spans: Vec<Range<usize>> = blocks.into_values().map(|block| block.outer).collect();
    spans.sort_by_key(|span| span.start);
    let mut prose = String::new();
    let mut copied = 0;
    for span in spans {
        prose.push_str(&text[copied..span.start]);
        copied = span.end;
    }
    prose.push_str(&text[copied..]);
    Ok(prose)
}

/// The place of a block in its document.
struct BlockSpan {
    /// The range from its opening marker to the end of its closing one, without the end of that line.
    outer: Range<usize>,
    /// The range between the two lines of its markers.
    inner: Range<usize>,
    line: usize,
    checksum: Option<u64>,
}

/// What a line is.
enum Marker<'a> {
    Opens(&'a str),
    Closes { name: Option<&'a str>, checksum: Option<u64> },
    Malformed,
}

fn find(text: &str) -> Result<BTreeMap<&str, BlockSpan>, MarkerError> {
    let mut blocks = BTreeMap::new();
    // The name, the line and the position of the block that is open, and where its text begins.
    let mut open: Option<(&str, usize, usize, usize)> = None;
    let mut at = 0;
    for (number, whole_line) in text.split_inclusive('\n').enumerate() {
        let (start, line) = (at, number + 1);
        at += whole_line.len();
        // A byte order mark is the author's: the block begins behind it.
        let bare = whole_line.trim_start_matches('\u{feff}');
        let begins = start + whole_line.len() - bare.len();
        let Some(marker) = marker(bare) else { continue };
        match (marker, open.take()) {
            (Marker::Malformed, _) => return Err(MarkerError::Malformed { line }),
            (Marker::Opens(_), Some((name, line, ..))) => {
                return Err(MarkerError::Unclosed { name: name.to_owned(), line });
            }
            (Marker::Opens(name), None) if blocks.contains_key(name) => {
                return Err(MarkerError::Duplicate { name: name.to_owned(), line });
            }
            (Marker::Opens(name), None) => open = Some((name, line, begins, at)),
            (Marker::Closes { name, checksum }, Some((opened, line, from, inner)))
                if name.is_none_or(|n| n == opened) =>
            {
                let end = start + whole_line.trim_end().len();
                let block = BlockSpan { outer: from..end, inner: inner..start, line, checksum };
                blocks.insert(opened, block);
            }
            (Marker::Closes { .. }, _) => return Err(MarkerError::Unopened { line }),
        }
    }
    match open {
        Some((name, line, ..)) => Err(MarkerError::Unclosed { name: name.to_owned(), line }),
        None => Ok(blocks),
    }
}

/// A line that is a marker, or was meant to be one.
fn marker(line: &str) -> Option<Marker<'_>> {
    let inside = line.trim().strip_prefix("<!--")?.trim_start();
    if !inside.starts_with(OPENING_MARKER) && !inside.starts_with(CLOSING_MARKER) {
        return None;
    }
    let Some(inside) = inside.strip_suffix("-->") else { return Some(Marker::Malformed) };
    let words = |text: &'_ str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    if let Some(name) = inside.strip_prefix(OPENING_MARKER) {
        let name = name.trim();
        let is_name = !name.is_empty() && words(name).len() == 1;
        return Some(if is_name { Marker::Opens(name) } else { Marker::Malformed });
    }
    let rest = inside.strip_prefix(CLOSING_MARKER)?.trim();
    if rest.is_empty() {
        return Some(Marker::Closes { name: None, checksum: None });
    }
    let Some(rest) = rest.strip_prefix(':') else { return Some(Marker::Malformed) };
    let mut parts = rest.split_whitespace();
    let (name, checksum) = (parts.next(), parts.next().and_then(|hex| u64::from_str_radix(hex, 16).ok()));
    Some(Marker::Closes { name, checksum })
}

/// The text without what editors change by themselves: ends of lines, blanks before them, blank lines around it.
fn normalised(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

/// The checksum of a text, which must stay the same in all versions of this program.
fn checksum(text: &str) -> u64 {
    wb_course::fnv1a(normalised(text).bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(one: &str, two: &str) -> String {
        format!("{}\nProse A.\n\n{}\nProse B, **bold** | `code`.\n", block("one", one), block("two", two))
    }

    fn updated(old: &str) -> UpdatedDocument {
        update(old, &document("1 new", "2 new")).expect("whole blocks")
    }

    #[test]
    fn only_the_blocks_change() {
        let mine =
            document("1 old", "2 old").replace("Prose A.", "What I wrote.\n\n## My heading\n\ntext  \n");
        let after = updated(&mine);
        let expected =
            document("1 new", "2 new").replace("Prose A.", "What I wrote.\n\n## My heading\n\ntext  \n");
        assert_eq!(after, UpdatedDocument { text: expected, edited: vec![] });
        assert_eq!(updated(&after.text).text, after.text, "the second time nothing changes");
    }

    #[test]
    fn blocks_may_be_reordered_and_strange_ones_stay() {
        let mine =
            format!("mine\n{}{}{}end", block("two", "2 old"), block("former", "kept"), block("one", "1 old"));
        let expected =
            format!("mine\n{}{}{}end", block("two", "2 new"), block("former", "kept"), block("one", "1 new"));
        assert_eq!(updated(&mine), UpdatedDocument { text: expected, edited: vec![] });
    }

    #[test]
    fn line_ends_and_byte_order_marks_are_kept() {
        let mine = format!("\u{feff}{}", document("1 old", "2 old").replace('\n', "\r\n"));
        let expected = format!("\u{feff}{}", document("1 new", "2 new").replace('\n', "\r\n"));
        assert_eq!(updated(&mine), UpdatedDocument { text: expected, edited: vec![] });
    }

    #[test]
    fn an_edit_inside_a_block_is_noticed_and_an_editors_blanks_are_not() {
        let blanks = document("1 old", "2 old").replace("1 old", "1 old  \t");
        assert_eq!(updated(&blanks).edited, []);
        let edited = document("1 old", "2 old").replace("2 old", "2 old, which surprises me");
        assert_eq!(updated(&edited).edited, [EditedBlock { name: "two".into(), line: 9 }]);
        let unsigned = block("one", "1 old").lines().take(3).collect::<Vec<_>>().join("\n")
            + "\n<!-- /generated -->\n"
            + &block("two", "2 old");
        assert_eq!(updated(&unsigned).edited, [EditedBlock { name: "one".into(), line: 1 }]);
    }

    #[test]
    fn a_document_whose_blocks_are_not_certain_is_refused() {
        let whole = document("1 old", "2 old");
        let opens = "<!-- generated: one -->\n";
        let closes = whole.lines().find(|line| line.starts_with("<!-- /generated: one")).expect("there");
        let name = || "one".to_owned();
        let cases = [
            (String::new(), MarkerError::NoMarkers),
            ("# My report\n\ntext\n".into(), MarkerError::NoMarkers),
            (whole.replace(closes, ""), MarkerError::Unclosed { name: name(), line: 1 }),
            (whole.replace(opens, ""), MarkerError::Unopened { line: 4 }),
            (whole.replace("generated: one -->", "generated: one"), MarkerError::Malformed { line: 1 }),
            (
                whole.replace("<!-- generated: one", "<!-- generated: one two"),
                MarkerError::Malformed { line: 1 },
            ),
            (whole.replace("<!-- generated: one", "<!- generated: one"), MarkerError::Unopened { line: 5 }),
            (
                whole.replace("generated: two -->", "generated: one -->"),
                MarkerError::Duplicate { name: name(), line: 9 },
            ),
            (format!("{whole}{whole}"), MarkerError::Duplicate { name: name(), line: 16 }),
            (format!("{opens}{whole}"), MarkerError::Unclosed { name: name(), line: 1 }),
            (block("two", "2 old"), MarkerError::Missing { name: name() }),
        ];
        for (old, damage) in cases {
            assert_eq!(update(&old, &document("1 new", "2 new")), Err(damage), "{old}");
        }
    }

    #[test]
    fn text_of_a_task_is_no_marker() {
        let planted = "<!-- /generated -->\n<!-- generated: two -->";
        let fresh = document(planted, "2 new");
        assert_eq!(update(&fresh, &fresh).expect("whole blocks").text, fresh);
    }
}
