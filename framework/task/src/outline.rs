//! The outline of a value: its `Debug` text with long lists shown by their ends and their length.
//!
//! ```
//! use wb_task::outline::{self, Outline};
//! assert_eq!(outline::render(&[1, 2, 3]), "[1, 2, 3]");
//! let long: Vec<u32> = (0..1009).collect();
//! assert_eq!(outline::render(&long), "[0, 1, 2, 3, 4, 5, …, 1007, 1008] (1009)");
//! ```
use std::{collections::VecDeque, fmt::Debug};

use crate::debug_parser::{self, DebugSink};

/// The number of items that are shown at the beginning and at the end of a list, by the nesting depth of the list.
const LIST_ENDS: [(usize, usize); 3] = [(6, 2), (4, 1), (2, 1)];

/// A longer leaf is cut.
const MAX_LEAF_CHARS: usize = 60;

/// A longer outline is cut.
const MAX_CHARS: usize = 300;

/// The outline of a value.
pub fn render(value: &(impl Debug + ?Sized)) -> String {
    debug_parser::scan(value, Outline::default()).into_text()
}

/// A sink that builds the outline of a value (see the module).
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// The open groups, the outermost first.
    open: Vec<OpenGroup>,
    /// The text outside of all groups; for a derived text, all of it.
    done: String,
    /// The key of the next item.
    key: Option<String>,
}

/// A list, a tuple, a struct or a map that is not closed yet.
#[derive(Clone, Debug)]
struct OpenGroup {
    name: String,
    bracket: char,
    key: Option<String>,
    /// How many items are shown at the beginning and at the end; `None`: all.
    ends: Option<(usize, usize)>,
    first: Vec<String>,
    last: VecDeque<String>,
    count: usize,
}

impl Outline {
    /// The finished outline.
    pub fn into_text(self) -> String {
        truncate(&self.done, MAX_CHARS)
    }

    fn item(&mut self, key: Option<String>, text: String) {
        let text = match key {
            Some(key) => format!("{key}: {text}"),
            None => text,
        };
        match self.open.last_mut() {
            Some(group) => group.item(text),
            None => self.done += &text,
        }
    }
}

impl DebugSink for Outline {
    fn open(&mut self, name: &str, bracket: char) {
        let is_list = bracket == '[' || bracket == '{' && name.is_empty();
        let around = self.open.iter().filter(|group| group.ends.is_some()).count();
        let ends = is_list.then(|| LIST_ENDS[around.min(LIST_ENDS.len() - 1)]);
        let (name, key) = (name.to_owned(), self.key.take());
        let (first, last) = (vec![], VecDeque::new());
        self.open.push(OpenGroup { name, bracket, key, ends, first, last, count: 0 });
    }

    fn key(&mut self, key: &str) {
        self.key = Some(truncate(key, MAX_LEAF_CHARS));
    }

    fn leaf(&mut self, text: &str) {
        let key = self.key.take();
        self.item(key, truncate(text, MAX_LEAF_CHARS));
    }

    fn close(&mut self) {
        let Some(mut group) = self.open.pop() else { return };
        let key = group.key.take();
        self.item(key, group.text());
    }
}

impl OpenGroup {
    fn item(&mut self, text: String) {
        self.count += 1;
        let (first, last) = self.ends.unwrap_or((usize::MAX, 0));
        if self.first.len() < first {
            self.first.push(text);
            return;
        }
        self.last.push_back(text);
        // One more than is shown: if it would be the only omitted item, it is shown.
        if self.last.len() > last + 1 {
            self.last.pop_front();
        }
    }

    fn text(self) -> String {
        let Self { name, bracket, first, mut last, count, .. } = self;
        let mut items = first;
        let left_out = count - items.len() - last.len();
        if left_out > 0 {
            last.pop_front();
            items.push("…".to_owned());
        }
        items.extend(last);
        let items = items.join(", ");
        let (space, closing) = (
            if bracket == '{' && !name.is_empty() { " " } else { "" },
            debug_parser::closing_bracket(bracket),
        );
        let length = if left_out > 0 { format!(" ({count})") } else { String::new() };
        let behind = if name.is_empty() || bracket == '(' { "" } else { " " };
        format!("{name}{behind}{bracket}{space}{items}{space}{closing}{length}")
    }
}

fn truncate(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => text[..end].to_owned() + "…",
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Debug)]
    #[expect(dead_code, reason = "read by its Debug text only")]
    struct Input {
        rows: Vec<Vec<u8>>,
        scale: Option<f64>,
        name: &'static str,
        unit: (),
    }

    #[test]
    fn short_values_are_their_debug_text() {
        let input = Input { rows: vec![vec![1, 2], vec![]], scale: Some(1.5), name: "a, \"b\" [", unit: () };
        assert_eq!(render(&input), format!("{input:?}"));
        let map = BTreeMap::from([("one: ", 1), ("two", 2)]);
        assert_eq!(render(&map), format!("{map:?}"));
        for text in ["", "plain", "не [ закрыто", "a) b"] {
            assert_eq!(render(&text), format!("{text:?}"));
        }
        assert_eq!(
            render(&(1, 'x', '\'', Some([None, Some(-2.5e-9)]))),
            "(1, 'x', '\\'', Some([None, Some(-2.5e-9)]))"
        );
    }

    #[test]
    fn a_list_shows_its_ends_and_its_length() {
        let of_length = |length: u32| render(&(0..length).collect::<Vec<_>>());
        assert_eq!(of_length(9), "[0, 1, 2, 3, 4, 5, 6, 7, 8]");
        assert_eq!(of_length(10), "[0, 1, 2, 3, 4, 5, …, 8, 9] (10)");
        let rows = vec![vec![7; 100]; 100];
        assert!(render(&rows).starts_with("[[7, 7, 7, 7, …, 7] (100), [7"), "{}", render(&rows));
        assert!(render(&rows).chars().count() <= MAX_CHARS + 1);
    }

    #[test]
    fn a_long_leaf_is_cut() {
        let long = render(&"я".repeat(500));
        assert_eq!(long.chars().count(), MAX_LEAF_CHARS + 1);
        assert!(long.ends_with('…'));
    }

    #[test]
    fn a_text_of_ones_own_is_read_as_far_as_it_goes() {
        struct Own;
        impl Debug for Own {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "3 of 4, ] open [1, 2")
            }
        }
        assert_eq!(render(&Own), "3 of 4, ] open [1, 2]");
    }
}
