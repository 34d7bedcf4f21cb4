//! A scanner of `Debug` text: reports the groups, keys and leaves of a value while the text is written.
//!
//! The harness knows only that a task's input and output are `Debug`. That is enough to abbreviate a long list and to
//! find the element and field at which two values differ. A text that no derive wrote is read as far as its structure
//! allows; text without structure is one leaf.
use std::fmt::{self, Debug, Write};

/// Receives the parts of a `Debug` text.
pub trait DebugSink {
    /// A group opens: `[`, `(` or `{` after a name that may be empty.
    fn open(&mut self, name: &str, bracket: char);
    /// The name of the next item: a field, or the key of a map.
    fn key(&mut self, key: &str);
    /// An item without parts.
    fn leaf(&mut self, text: &str);
    /// The innermost open group closes.
    fn close(&mut self);
}

/// Reads a `Debug` text while it is written, without storing all of it.
#[derive(Debug)]
pub struct DebugScanner<S> {
    sink: S,
    /// The text written since the last item.
    word: String,
    /// The open brackets.
    open: Vec<char>,
    /// The quote character, inside a string or a character literal.
    quoted: Option<char>,
    escaped: bool,
}

/// Passes the parts of the `Debug` text of `value` to `sink`, and returns the sink.
///
/// ```
/// use wb_task::debug_parser::{self, DebugSink};
/// #[derive(Default)]
/// struct EarlyLeaver(Vec<String>);
/// impl DebugSink for EarlyLeaver {
///     fn open(&mut self, _: &str, _: char) {}
///     fn key(&mut self, _: &str) {}
///     fn leaf(&mut self, text: &str) { self.0.push(text.to_owned()) }
///     fn close(&mut self) {}
/// }
/// let leaves = debug_parser::scan(&(Some(1.5), ["a, b", "]"]), EarlyLeaver::default());
/// assert_eq!(leaves.0, ["1.5", "\"a, b\"", "\"]\""]);
/// ```
pub fn scan<S: DebugSink>(value: &(impl Debug + ?Sized), sink: S) -> S {
    let mut scanner = DebugScanner::new(sink);
    // The scanner itself never fails. A `Debug` implementation that fails has written the text to read.
    let _incomplete = write!(scanner, "{value:?}");
    scanner.finish()
}

impl<S: DebugSink> DebugScanner<S> {
    /// A scanner at the beginning of a text.
    pub fn new(sink: S) -> Self {
        Self { sink, word: String::new(), open: vec![], quoted: None, escaped: false }
    }

    /// Ends the text: closes the groups that are still open.
    pub fn finish(mut self) -> S {
        self.emit_leaf();
        self.open.iter().for_each(|_| self.sink.close());
        self.sink
    }

    /// Passes the text written since the last item to the sink, if there is any.
    fn emit_leaf(&mut self) {
        let word = self.word.trim();
        if !word.is_empty() {
            self.sink.leaf(word);
        }
        self.word.clear();
    }

    fn read(&mut self, character: char) {
        if let Some(quote) = self.quoted {
            self.word.push(character);
            match character {
                _ if self.escaped => self.escaped = false,
                '\\' => self.escaped = true,
                _ if character == quote => self.quoted = None,
                _ => {}
            }
            return;
        }
        match character {
            '"' | '\'' if self.word.trim().is_empty() => {
                self.quoted = Some(character);
                self.word.push(character);
            }
            '[' | '(' | '{' => {
                self.sink.open(self.word.trim(), character);
                self.word.clear();
                self.open.push(character);
            }
            ']' | ')' | '}' if self.open.last() == Some(&opening_bracket(character)) => {
                self.emit_leaf();
                self.open.pop();
                self.sink.close();
            }
            ',' if !self.open.is_empty() => self.emit_leaf(),
            ' ' if self.open.last() == Some(&'{') && self.word.ends_with(':') => {
                let key = self.word.trim_end_matches(':').trim();
                if !key.is_empty() {
                    self.sink.key(key);
                }
                self.word.clear();
            }
            _ => self.word.push(character),
        }
    }
}

impl<S: DebugSink> Write for DebugScanner<S> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        piece.chars().for_each(|character| self.read(character));
        Ok(())
    }
}

/// The opening bracket that a closing bracket matches.
fn opening_bracket(closing: char) -> char {
    match closing {
        ']' => '[',
        ')' => '(',
        _ => '{',
    }
}

/// The closing bracket that an opening bracket needs.
pub(crate) fn closing_bracket(opening: char) -> char {
    match opening {
        '[' => ']',
        '(' => ')',
        _ => '}',
    }
}
