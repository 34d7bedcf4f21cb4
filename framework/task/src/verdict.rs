//! What an oracle says of an output.
use std::fmt::Debug;

/// Right, or wrong with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Verdict {
    /// The output answers the input.
    Right,
    /// It does not; the text says where and what was expected.
    Wrong(String),
}

impl Verdict {
    /// Right when `holds`, else wrong with `why`.
    pub fn of(holds: bool, why: impl FnOnce() -> String) -> Self {
        if holds { Self::Right } else { Self::Wrong(why()) }
    }

    /// Right when both slices are equal; otherwise says where they first differ.
    ///
    /// ```
    /// use wb_task::Verdict;
    /// assert_eq!(Verdict::same(&[1, 2], &[1, 2]), Verdict::Right);
    /// assert_eq!(Verdict::same(&[1, 9], &[1, 2]), Verdict::Wrong("element 1 is 9, expected 2".into()));
    /// assert_eq!(Verdict::same(&[1], &[1, 2]), Verdict::Wrong("1 element(s), expected 2".into()));
    /// ```
    pub fn same<T: PartialEq + Debug>(got: &[T], expected: &[T]) -> Self {
        Self::each(got, expected, |g, e| g == e)
    }

    /// Right when both slices have one length and each pair satisfies `alike` (e.g. `approx`'s comparisons).
    pub fn each<T: Debug>(got: &[T], expected: &[T], alike: impl Fn(&T, &T) -> bool) -> Self {
        if got.len() != expected.len() {
            return Self::Wrong(format!("{} element(s), expected {}", got.len(), expected.len()));
        }
        match got.iter().zip(expected).position(|(g, e)| !alike(g, e)) {
            None => Self::Right,
            Some(i) => Self::Wrong(format!("element {i} is {:?}, expected {:?}", got[i], expected[i])),
        }
    }

    /// The reason, when wrong.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Right => None,
            Self::Wrong(reason) => Some(reason),
        }
    }
}
