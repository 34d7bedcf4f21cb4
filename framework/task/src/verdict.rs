//! The verdict of an oracle on an output.
use std::fmt::Debug;

use crate::{Difference, Tolerance};

/// Right, or wrong with the reason.
///
/// Prefer the comparisons below where an output can be compared: the report then shows the first difference, the
/// expected value there, the number of differing elements and the neighbours.
///
/// ```
/// use wb_task::{Tolerance, Verdict};
/// assert_eq!(Verdict::same(&[1, 2], &[1, 2]), Verdict::Right);
/// assert_eq!(Verdict::equal(&(1, "a"), &(1, "a")), Verdict::Right);
/// assert_eq!(Verdict::close(&[0.1 + 0.2], &[0.3], Tolerance::relative(1e-12)), Verdict::Right);
/// let Verdict::Differs(difference) = Verdict::same(&[1, 9], &[1, 2]) else { panic!("they differ") };
/// assert_eq!(difference.first.expect("a place").path, "[1]");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Verdict {
    /// The output answers the input.
    Right,
    /// The output is wrong; the text says where and what was expected.
    Wrong(String),
    /// The output is not the expected one; the report says where.
    Differs(Box<Difference>),
}

impl Verdict {
    /// Right when `holds`, else wrong with `why`.
    pub fn of(holds: bool, why: impl FnOnce() -> String) -> Self {
        if holds { Self::Right } else { Self::Wrong(why()) }
    }

    /// Right when both slices are equal.
    pub fn same<T: PartialEq + Debug>(got: &[T], expected: &[T]) -> Self {
        Self::each(got, expected, |g, e| g == e)
    }

    /// Right when both values are equal: structs, rows of different lengths, numbers, any type that is `Debug`.
    pub fn equal<T: PartialEq + Debug + ?Sized>(got: &T, expected: &T) -> Self {
        if got == expected {
            return Self::Right;
        }
        match Difference::between(got, expected) {
            Some(difference) => Self::Differs(Box::new(difference)),
            None => {
                Self::Wrong(format!("not equal, though both are shown as {}", crate::outline::render(got)))
            }
        }
    }

    /// Right when both slices have the same length and the distance of each pair is within `tolerance`.
    pub fn close<T: Copy + Into<f64> + Debug>(got: &[T], expected: &[T], tolerance: Tolerance) -> Self {
        let is_equal = |got: &T, expected: &T| tolerance.allows((*got).into(), (*expected).into());
        match Self::each(got, expected, is_equal) {
            Self::Differs(difference) => {
                Self::Differs(Box::new(Difference { tolerance: Some(tolerance), ..*difference }))
            }
            other => other,
        }
    }

    /// Right when both slices have the same length and each pair satisfies `is_equal` (e.g. `approx`'s comparisons).
    pub fn each<T: Debug>(got: &[T], expected: &[T], is_equal: impl Fn(&T, &T) -> bool) -> Self {
        let difference = Difference::between_slices(got, expected, is_equal);
        difference.map_or(Self::Right, |difference| Self::Differs(Box::new(difference)))
    }
}
