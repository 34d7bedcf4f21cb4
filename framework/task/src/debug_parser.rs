//! A value as its `Debug` text shows it, read piece by piece: what opens, what stands in it, what closes.
//!
//! The harness knows of a task's input and output that they are `Debug`, and nothing else. That is enough to show a long
//! list by its ends, and to say at which element of which field two values part. A text that is no derived one is read as
//! far as it goes; whatever cannot be told apart is one leaf.
use std::fmt::{self, Debug, Write};

/// Who is told what stands in a `Debug` text.
pub trait DebugSink {
    /// `[`, `(` or `{` behind a name that may be empty.
    fn open(&mut self, name: &str, bracket: char);
    /// What the next item is called: a field, or the key of a map.
    fn key(&mut self, key: &str);
    /// An item without parts.
    fn leaf(&mut self, text: &str);
    /// The last that opened and has not closed.
    fn close(&mut self);
}

/// Reads a `Debug` text as it is written, without ever holding the whole of it.
#[derive(Debug)]
pub struct DebugScanner<S> {
    sink: S,
    /// What was written since the last item.
    word: String,
    /// The brackets that are open.
    open: Vec<char>,
    /// Inside a string or a character: its quote.
    quoted: Option<char>,
    escaped: bool,
}

/// Tells `sink` what stands in the `Debug` text of `value`, and gives it back.
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
    // The scanner itself never fails; a `Debug` that does has written what there is to read.
    let _incomplete = write!(scanner, "{value:?}");
    scanner.finish()
}

impl<S: DebugSink> DebugScanner<S> {
    /// At the beginning of a text.
    pub fn new(sink: S) -> Self {
        Self { sink, word: String::new(), open: vec![], quoted: None, escaped: false }
    }

    /// At its end: closes what is still open.
    pub fn finish(mut self) -> S {
        self.emit_leaf();
        self.open.iter().for_each(|_| self.sink.close());
        self.sink
    }

    /// Tells what was written since the last item, if anything.
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

/// What a closing bracket closes.
fn opening_bracket(closing: char) -> char {
    match closing {
        ']' => '[',
        ')' => '(',
        _ => '{',
    }
}

/// What closes an opening bracket.
pub(crate) fn closing_bracket(opening: char) -> char {
    match opening {
        '[' => ']',
        '(' => ')',
        _ => '}',
    }
}
