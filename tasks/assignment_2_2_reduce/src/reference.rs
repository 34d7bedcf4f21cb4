//! The instructor's sequential version.
use workbench::{Invalid, Place, Result, Rooted, Task, TypedVec, World};

use crate::problem::{Combine, Operands, Reducing};

/// Combines the vectors one after the other.
#[derive(Default)]
pub struct Reference;

impl Task for Reference {
    type Problem = Reducing;
    type Prepared = Operands;
    type Raw = TypedVec;

    const OUTPUT: Place = Place::Home;

    /// On one rank the root is a rank of another world of unknown size, so only a negative root is refused.
    fn validation(&self, input: &Operands, ranks: usize) -> std::result::Result<(), Invalid> {
        let is_rank = usize::try_from(input.root).is_ok_and(|root| ranks == 1 || root < ranks);
        Invalid::unless(is_rank, format!("root {} of {ranks} rank(s)", input.root))?;
        let first = input.vectors.first().ok_or_else(|| Invalid::because("there is no vector"))?;
        let alike =
            |vector: &TypedVec| (vector.type_name(), vector.count()) == (first.type_name(), first.count());
        Invalid::unless(input.vectors.iter().all(alike), "the vectors have different types or lengths")
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Operands>) -> Result<Operands> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, _world: &World, Operands { vectors, combine, .. }: &Operands) -> Result<TypedVec> {
        let mut combined = vectors[0].clone();
        for vector in &vectors[1..] {
            match (&mut combined, vector) {
                (TypedVec::Int(into), TypedVec::Int(from)) => fold(into, from, *combine),
                (TypedVec::Float(into), TypedVec::Float(from)) => fold(into, from, *combine),
                (TypedVec::Double(into), TypedVec::Double(from)) => fold(into, from, *combine),
                _ => unreachable!("validation has refused vectors of different types"),
            }
        }
        Ok(combined)
    }

    fn postprocessing(&self, _world: &World, combined: TypedVec) -> Result<Rooted<TypedVec>> {
        Ok(Rooted::Here(combined))
    }
}

/// Combines `from` into `into`, element by element.
fn fold<T: Copy + PartialOrd + std::ops::Add<Output = T>>(into: &mut [T], from: &[T], combine: Combine) {
    for (into, from) in into.iter_mut().zip(from) {
        *into = match combine {
            Combine::Sum => *into + *from,
            Combine::Minimum if *from < *into => *from,
            Combine::Maximum if *from > *into => *from,
            Combine::Minimum | Combine::Maximum => *into,
        };
    }
}
