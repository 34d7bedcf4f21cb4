//! A vector of one of the three types that a collective operation of an assignment must support.
use serde::{Deserialize, Serialize};

use crate::{Verdict, noise};

/// A vector of `int`, `float` or `double`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TypedVec {
    /// C's `int`.
    Int(Vec<i32>),
    /// C's `float`.
    Float(Vec<f32>),
    /// C's `double`.
    Double(Vec<f64>),
}

impl TypedVec {
    /// The names of the types, by which workloads are requested.
    pub const TYPES: [&'static str; 3] = ["int", "float", "double"];

    /// `count` pseudo-random numbers of the type with this name, positive and negative; `None` for another name. The sum of
    /// a thousand of them does not overflow.
    pub fn random(type_name: &str, count: usize, seed: u64) -> Option<Self> {
        let numbers = noise::integers(seed, 1 << 20).take(count);
        Some(match type_name {
            "int" => Self::Int(numbers.collect()),
            "float" => Self::Float(numbers.map(|n| n as f32 / 1024.0).collect()),
            "double" => Self::Double(numbers.map(|n| f64::from(n) / 1024.0).collect()),
            _ => return None,
        })
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        match self {
            Self::Int(numbers) => numbers.len(),
            Self::Float(numbers) => numbers.len(),
            Self::Double(numbers) => numbers.len(),
        }
    }

    /// The name of the type in C.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Double(_) => "double",
        }
    }

    /// The elements `range`.
    ///
    /// # Panics
    /// When there are fewer.
    pub fn slice(&self, range: std::ops::Range<usize>) -> Self {
        match self {
            Self::Int(numbers) => Self::Int(numbers[range].to_vec()),
            Self::Float(numbers) => Self::Float(numbers[range].to_vec()),
            Self::Double(numbers) => Self::Double(numbers[range].to_vec()),
        }
    }

    /// Right when `self` has the type and, bit by bit, the elements of `expected`.
    pub fn same_bits(&self, expected: &Self) -> Verdict {
        match (self, expected) {
            (Self::Int(got), Self::Int(expected)) => Verdict::same(got, expected),
            (Self::Float(got), Self::Float(expected)) => {
                Verdict::each(got, expected, |g, e| g.to_bits() == e.to_bits())
            }
            (Self::Double(got), Self::Double(expected)) => {
                Verdict::each(got, expected, |g, e| g.to_bits() == e.to_bits())
            }
            (got, expected) => {
                Verdict::Wrong(format!("the type is {}, expected {}", got.type_name(), expected.type_name()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_bits_are_required() {
        let zeros = [TypedVec::Double(vec![0.0]), TypedVec::Double(vec![-0.0])];
        assert_eq!(zeros[0].same_bits(&zeros[0]), Verdict::Right);
        assert_ne!(zeros[0].same_bits(&zeros[1]), Verdict::Right);
        assert_ne!(TypedVec::Int(vec![]).same_bits(&TypedVec::Float(vec![])), Verdict::Right);
        assert_ne!(TypedVec::Int(vec![1, 2]).same_bits(&TypedVec::Int(vec![1])), Verdict::Right);
    }

    #[test]
    fn every_type_can_be_drawn() {
        for name in TypedVec::TYPES {
            let drawn = TypedVec::random(name, 5, 7).expect("a type");
            assert_eq!((drawn.type_name(), drawn.count()), (name, 5));
            assert_ne!(drawn, TypedVec::random(name, 5, 8).expect("a type"));
            assert_eq!(drawn.slice(1..3).count(), 2);
        }
        assert_eq!(TypedVec::random("long", 5, 7), None);
    }
}
