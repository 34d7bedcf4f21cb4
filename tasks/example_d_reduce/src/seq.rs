//! The sequential version: the vectors are combined one after the other.
//!
//! It is the reference for the output. It is not a baseline for a speed-up: the exchange is the assignment, and here all
//! vectors are in one memory.
use assignment_2_2_reduce::{Operands, Reducing};
use workbench::{Invalid, Place, Result, Rooted, Task, TypedVec, World};

use crate::element::{Element, combine_into};

/// Combines all vectors on one rank.
pub struct Seq;

impl Task for Seq {
    type Problem = Reducing;
    type Prepared = Operands;
    type Raw = TypedVec;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Operands, ranks: usize) -> std::result::Result<(), Invalid> {
        let exists = usize::try_from(input.root).is_ok_and(|root| root < ranks);
        Invalid::unless(exists, format!("root {} is not one of the ranks 0..{ranks}", input.root))?;
        let kind = |vector: &TypedVec| (vector.type_name(), vector.count());
        let first = input.vectors.first().ok_or_else(|| Invalid::because("there is no vector"))?;
        let are_alike = input.vectors.iter().all(|vector| kind(vector) == kind(first));
        Invalid::unless(are_alike, "the vectors have different types or lengths")
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Operands>) -> Result<Operands> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, world: &World, Operands { vectors, combine, .. }: &Operands) -> Result<TypedVec> {
        let mut result = vectors[0].clone();
        for vector in &vectors[1..] {
            match (&mut result, vector) {
                (TypedVec::Int(into), TypedVec::Int(from)) => {
                    declare(world, from);
                    combine_into(into, from, *combine);
                }
                (TypedVec::Float(into), TypedVec::Float(from)) => {
                    declare(world, from);
                    combine_into(into, from, *combine);
                }
                (TypedVec::Double(into), TypedVec::Double(from)) => {
                    declare(world, from);
                    combine_into(into, from, *combine);
                }
                _ => unreachable!("validation has refused vectors of different types"),
            }
        }
        Ok(result)
    }

    fn postprocessing(&self, _world: &World, result: TypedVec) -> Result<Rooted<TypedVec>> {
        Ok(Rooted::Here(result))
    }
}

/// Declares one operation for each element, two loads and a store.
fn declare<T: Element>(world: &World, vector: &[T]) {
    world.work(vector.len() as u64, 3 * size_of_val(vector) as u64);
}
