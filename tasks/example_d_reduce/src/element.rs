//! The elements of the three types, and how they are combined.
use std::ops::Add;

use assignment_2_2_reduce::Combine;
use workbench::Wire;

/// A type whose elements can be reduced.
pub trait Element: Wire + PartialOrd + Add<Output = Self> {
    /// The result of no element at all: it changes nothing when it is combined.
    fn neutral(combine: Combine) -> Self;
}

impl Element for i32 {
    fn neutral(combine: Combine) -> Self {
        match combine {
            Combine::Sum => 0,
            Combine::Minimum => Self::MAX,
            Combine::Maximum => Self::MIN,
        }
    }
}

impl Element for f32 {
    fn neutral(combine: Combine) -> Self {
        match combine {
            Combine::Sum => 0.0,
            Combine::Minimum => Self::INFINITY,
            Combine::Maximum => Self::NEG_INFINITY,
        }
    }
}

impl Element for f64 {
    fn neutral(combine: Combine) -> Self {
        match combine {
            Combine::Sum => 0.0,
            Combine::Minimum => Self::INFINITY,
            Combine::Maximum => Self::NEG_INFINITY,
        }
    }
}

/// Combines `from` into `into`, element by element.
pub fn combine_into<T: Element>(into: &mut [T], from: &[T], combine: Combine) {
    // The operation is selected here, once, so that the compiler generates a vectorised loop for each.
    let pairs = into.iter_mut().zip(from);
    match combine {
        Combine::Sum => pairs.for_each(|(into, from)| *into = *into + *from),
        Combine::Minimum => pairs.for_each(|(into, from)| *into = if *from < *into { *from } else { *into }),
        Combine::Maximum => pairs.for_each(|(into, from)| *into = if *from > *into { *from } else { *into }),
    }
}

/// The combination of the vectors of `count` elements that are in `vectors` one after the other; the neutral element
/// where there is no vector.
pub fn combined<T: Element>(vectors: &[T], count: usize, combine: Combine) -> Vec<T> {
    let mut result = vec![T::neutral(combine); count];
    if count > 0 {
        vectors.chunks_exact(count).for_each(|vector| combine_into(&mut result, vector, combine));
    }
    result
}
