//! The differences of two values: the first path, both elements there, the number of differing elements, the
//! neighbours.
//!
//! Elements of slices are compared by the caller's function. Other values are compared by their `Debug` texts, so
//! fields, rows of different lengths and tuples have paths too.
//!
//! ```
//! use wb_task::Difference;
//! let rows = [vec![1, 2], vec![3]];
//! let difference = Difference::between(&[vec![1, 2], vec![4]], &rows).expect("they differ");
//! let first = difference.first.expect("an element");
//! assert_eq!((first.path.as_str(), first.expected.as_str(), first.got.as_str()), ("[1][0]", "3", "4"));
//! assert_eq!((difference.differing, difference.compared), (1, 3));
//! ```
use std::fmt::Debug;

use crate::{
    Tolerance,
    debug_parser::{self, DebugSink},
    outline::{self, Outline},
};

/// The number of neighbours that are shown on each side.
const CONTEXT_ITEMS: usize = 2;

/// Two lists at the same path with different lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LengthDifference {
    /// The path of the list: `""` is the whole value.
    pub path: String,
    /// The expected length.
    pub expected: usize,
    /// The actual length.
    pub got: usize,
}

/// The first path at which two values differ.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstDifference {
    /// `"[3]"`, `".rows[2][0]"`; `""` is the whole value.
    pub path: String,
    /// The expected element, abbreviated.
    pub expected: String,
    /// The actual element, abbreviated.
    pub got: String,
    /// The distance of the two, where both are numbers with a fraction.
    pub distance: Option<f64>,
    /// The elements around it, where it is in a list of numbers.
    pub context: Option<DifferenceContext>,
}

/// The same range of both lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferenceContext {
    /// The index of the first element of the range.
    pub start: usize,
    /// The expected elements.
    pub expected: Vec<String>,
    /// The actual elements.
    pub got: Vec<String>,
}

/// The differences of two values (see the module).
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The first two lists of different lengths.
    pub lengths: Option<LengthDifference>,
    /// The first path at which both values have an element and the elements differ.
    pub first: Option<FirstDifference>,
    /// The number of elements that differ, among those that both have.
    pub differing: usize,
    /// The number of elements that both have.
    pub compared: usize,
    /// The tolerance of the comparison.
    pub tolerance: Option<Tolerance>,
}

impl Difference {
    /// The differences of the `Debug` texts of two values; `None` when they are the same.
    pub fn between(got: &(impl Debug + ?Sized), expected: &(impl Debug + ?Sized)) -> Option<Self> {
        let mut difference = Self { lengths: None, first: None, differing: 0, compared: 0, tolerance: None };
        difference.walk(&DebugTree::from_debug(got), &DebugTree::from_debug(expected), "");
        (difference.first.is_some() || difference.lengths.is_some()).then_some(difference)
    }

    /// The differences of two slices; `None` when they have the same length and every pair is `is_equal`.
    pub fn between_slices<T: Debug>(
        got: &[T],
        expected: &[T],
        is_equal: impl Fn(&T, &T) -> bool,
    ) -> Option<Self> {
        let differs = |(at, (got, expected)): (usize, (&T, &T))| (!is_equal(got, expected)).then_some(at);
        let mut places = got.iter().zip(expected).enumerate().filter_map(differs);
        let lengths = (got.len() != expected.len()).then(|| LengthDifference {
            path: String::new(),
            expected: expected.len(),
            got: got.len(),
        });
        let first = places.next();
        if first.is_none() && lengths.is_none() {
            return None;
        }
        let is_scalar = got.len() == 1 && expected.len() == 1;
        let differing = usize::from(first.is_some()) + places.count();
        let first = first.map(|at| FirstDifference::from_elements(at, got, expected, is_scalar));
        Some(Self { lengths, first, differing, compared: got.len().min(expected.len()), tolerance: None })
    }

    fn walk(&mut self, got: &DebugTree, expected: &DebugTree, place: &str) {
        match (got, expected) {
            (DebugTree::Branch(got), DebugTree::Branch(expected))
                if (&got.name, got.bracket) == (&expected.name, expected.bracket) =>
            {
                self.walk_items(got, expected, place);
            }
            (DebugTree::Leaf(got), DebugTree::Leaf(expected)) if got == expected => self.compared += 1,
            _ => {
                self.compared += 1;
                self.differing += 1;
                let (got, expected) = (got.outline(), expected.outline());
                self.first.get_or_insert_with(|| FirstDifference::new(place.to_owned(), got, expected));
            }
        }
    }

    fn walk_items(&mut self, got: &Branch, expected: &Branch, place: &str) {
        let lengths =
            LengthDifference { path: place.to_owned(), expected: expected.items.len(), got: got.items.len() };
        if lengths.expected != lengths.got {
            self.lengths.get_or_insert(lengths);
        }
        for (at, (mine, theirs)) in got.items.iter().zip(&expected.items).enumerate() {
            let was_same = self.first.is_none();
            self.walk(&mine.1, &theirs.1, &format!("{place}{}", expected.item_path(at)));
            if let Some(first) = self.first.as_mut().filter(|_| was_same)
                && expected.bracket == '['
                && matches!(theirs.1, DebugTree::Leaf(_))
            {
                first.context = DifferenceContext::new(at, got.items.len(), expected.items.len(), |at| {
                    (got.items[at].1.outline(), expected.items[at].1.outline())
                });
            }
        }
    }
}

impl FirstDifference {
    fn new(place: String, got: String, expected: String) -> Self {
        let number = |text: &str| text.parse::<f64>().ok().filter(|_| text.contains(['.', 'e', 'N', 'i']));
        let apart = number(&got).zip(number(&expected)).map(|(got, expected)| (got - expected).abs());
        Self { path: place, expected, got, distance: apart.filter(|apart| apart.is_finite()), context: None }
    }

    /// The difference of element `at` of two slices, and the path inside the element where it has parts.
    fn from_elements<T: Debug>(at: usize, got: &[T], expected: &[T], is_scalar: bool) -> Self {
        let place = if is_scalar { String::new() } else { format!("[{at}]") };
        if let Some(inner) = Difference::between(&got[at], &expected[at]).and_then(|inner| inner.first)
            && !inner.path.is_empty()
        {
            return Self { path: place + &inner.path, ..inner };
        }
        let around = DifferenceContext::new(at, got.len(), expected.len(), |at| {
            (outline::render(&got[at]), outline::render(&expected[at]))
        });
        let around = around.filter(|_| !is_scalar);
        Self {
            context: around,
            ..Self::new(place, outline::render(&got[at]), outline::render(&expected[at]))
        }
    }
}

impl DifferenceContext {
    /// The elements of both lists around `at`.
    fn new(at: usize, got: usize, expected: usize, pair: impl Fn(usize) -> (String, String)) -> Option<Self> {
        let (from, to) = (at.saturating_sub(CONTEXT_ITEMS), (at + CONTEXT_ITEMS + 1).min(got).min(expected));
        let (got, expected): (Vec<_>, Vec<_>) = (from..to).map(pair).unzip();
        (to - from > 1).then_some(Self { start: from, expected, got })
    }
}

/// A `Debug` text as a tree.
#[derive(Debug)]
enum DebugTree {
    Leaf(String),
    Branch(Branch),
}

#[derive(Debug)]
struct Branch {
    name: String,
    bracket: char,
    items: Vec<(Option<String>, DebugTree)>,
}

impl DebugTree {
    fn from_debug(value: &(impl Debug + ?Sized)) -> Self {
        let mut grown = debug_parser::scan(value, TreeBuilder::default()).branch.items;
        match grown.len() {
            1 => grown.remove(0).1,
            // Text that is not a single value.
            _ => Self::Branch(Branch { name: String::new(), bracket: '(', items: grown }),
        }
    }

    fn outline(&self) -> String {
        let mut outline = Outline::default();
        self.visit(&mut outline);
        outline.into_text()
    }

    fn visit(&self, sink: &mut impl DebugSink) {
        match self {
            Self::Leaf(text) => sink.leaf(text),
            Self::Branch(Branch { name, bracket, items }) => {
                sink.open(name, *bracket);
                for (key, item) in items {
                    key.iter().for_each(|key| sink.key(key));
                    item.visit(sink);
                }
                sink.close();
            }
        }
    }
}

impl Branch {
    /// The part of the path that an item adds to that of the branch.
    fn item_path(&self, at: usize) -> String {
        let is_name = |key: &str| key.chars().all(|c| c.is_alphanumeric() || c == '_');
        match (&self.items[at].0, self.bracket) {
            (Some(key), _) if is_name(key) && !self.name.is_empty() => format!(".{key}"),
            (Some(key), _) => format!("[{key}]"),
            (None, '(') if self.items.len() == 1 => String::new(),
            (None, '(') => format!(".{at}"),
            (None, _) => format!("[{at}]"),
        }
    }
}

/// A tree under construction: the open branches, and a root branch around them.
#[derive(Debug)]
struct TreeBuilder {
    branch: Branch,
    /// The branches around `branch`, with their keys.
    ancestors: Vec<(Branch, Option<String>)>,
    key: Option<String>,
}

impl Default for TreeBuilder {
    fn default() -> Self {
        let branch = Branch { name: String::new(), bracket: '(', items: vec![] };
        Self { branch, ancestors: vec![], key: None }
    }
}

impl DebugSink for TreeBuilder {
    fn open(&mut self, name: &str, bracket: char) {
        let inner = Branch { name: name.to_owned(), bracket, items: vec![] };
        self.ancestors.push((std::mem::replace(&mut self.branch, inner), self.key.take()));
    }

    fn key(&mut self, key: &str) {
        self.key = Some(key.to_owned());
    }

    fn leaf(&mut self, text: &str) {
        self.branch.items.push((self.key.take(), DebugTree::Leaf(text.to_owned())));
    }

    fn close(&mut self) {
        let Some((outer, key)) = self.ancestors.pop() else { return };
        let inner = std::mem::replace(&mut self.branch, outer);
        self.branch.items.push((key, DebugTree::Branch(inner)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug)]
    #[expect(dead_code, reason = "read by its Debug text only")]
    struct Output {
        rows: Vec<Vec<f64>>,
        best: Option<(usize, f64)>,
    }

    fn output() -> Output {
        Output { rows: vec![vec![1.0, 2.0], vec![], vec![3.0]], best: Some((2, 3.0)) }
    }

    fn first(difference: &Difference) -> (&str, &str, &str) {
        let FirstDifference { path: place, expected, got, .. } = difference.first.as_ref().expect("a place");
        (place, expected, got)
    }

    #[test]
    fn equal_values_do_not_differ() {
        assert_eq!(Difference::between(&output(), &output()), None);
        assert_eq!(Difference::between_slices(&[1, 2], &[1, 2], |a, b| a == b), None);
        assert_eq!(Difference::between_slices::<u8>(&[], &[], |_, _| false), None);
    }

    #[test]
    fn a_field_a_row_and_a_tuple_have_places() {
        let mut other = output();
        other.rows[2][0] = 3.5;
        let difference = Difference::between(&other, &output()).expect("a row");
        assert_eq!(first(&difference), (".rows[2][0]", "3.0", "3.5"));
        assert_eq!((difference.differing, difference.compared), (1, 5));
        assert_eq!(difference.first.and_then(|first| first.distance), Some(0.5));
        let other = Output { best: Some((2, 4.0)), ..output() };
        let difference = Difference::between(&other, &output()).expect("a tuple");
        assert_eq!(first(&difference), (".best.1", "3.0", "4.0"));
        let other = Output { best: None, ..output() };
        let difference = Difference::between(&other, &output()).expect("another variant");
        assert_eq!(first(&difference), (".best", "Some((2, 3.0))", "None"));
    }

    #[test]
    fn rows_of_another_length_are_told_with_what_differs_before_them() {
        let mut other = output();
        other.rows[0].push(7.0);
        let difference = Difference::between(&other, &output()).expect("a length");
        let lengths = LengthDifference { path: ".rows[0]".into(), expected: 2, got: 3 };
        assert_eq!((difference.lengths, difference.first), (Some(lengths), None));
    }

    #[test]
    fn elements_of_slices_are_counted_and_shown_with_their_neighbours() {
        let expected: Vec<i32> = (0..100).collect();
        let mut got = expected.clone();
        got[50..53].fill(-1);
        let difference = Difference::between_slices(&got, &expected, |a, b| a == b).expect("three");
        assert_eq!(
            (first(&difference), difference.differing, difference.compared),
            (("[50]", "50", "-1"), 3, 100)
        );
        let around = difference.first.and_then(|first| first.context).expect("neighbours");
        assert_eq!(around.start, 48);
        assert_eq!(around.expected, ["48", "49", "50", "51", "52"]);
        assert_eq!(around.got, ["48", "49", "-1", "-1", "-1"]);
    }

    #[test]
    fn an_element_with_parts_is_followed_into_them() {
        let (got, expected) = ([vec![1, 2], vec![3, 5]], [vec![1, 2], vec![3, 4]]);
        let difference = Difference::between_slices(&got, &expected, |a, b| a == b).expect("a row");
        assert_eq!(first(&difference), ("[1][1]", "4", "5"));
        assert_eq!((difference.differing, difference.compared), (1, 2));
    }

    #[test]
    fn a_scalar_has_no_place() {
        let difference = Difference::between_slices(&[43], &[42], |a, b| a == b).expect("a number");
        assert_eq!(first(&difference), ("", "42", "43"));
        assert_eq!(first(&Difference::between(&43, &42).expect("a number")), ("", "42", "43"));
        let around = |got: &[i32], expected: &[i32]| {
            Difference::between_slices(got, expected, |a, b| a == b)
                .and_then(|d| d.first)
                .and_then(|f| f.context)
        };
        assert_eq!(around(&[43], &[42]), None);
    }

    #[test]
    fn what_is_missing_is_a_length() {
        let difference = Difference::between_slices(&[1], &[1, 2], |a, b| a == b).expect("a length");
        assert_eq!(difference.lengths, Some(LengthDifference { path: String::new(), expected: 2, got: 1 }));
        assert_eq!((difference.first, difference.differing, difference.compared), (None, 0, 1));
    }
}
