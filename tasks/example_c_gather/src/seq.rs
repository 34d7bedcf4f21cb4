//! The sequential version: the parts are copied one after the other.
//!
//! It is only the reference for the output. A copy in memory is not a baseline for a speed-up: no gather can be faster.
use workbench::{Invalid, Place, Result, Rooted, Task, TypedVec, World};

use crate::problem::{Gathering, Parts};

/// Copies all parts.
pub struct Seq;

impl Task for Seq {
    type Problem = Gathering;
    type Prepared = Parts;
    type Raw = TypedVec;

    const OUTPUT: Place = Place::Home;

    /// The root is a rank of another world, which has as many ranks as there are parts.
    fn validation(&self, input: &Parts, _ranks: usize) -> std::result::Result<(), Invalid> {
        let parts = input.parts.len();
        Invalid::unless(parts > 0, "there is no part")?;
        let exists = usize::try_from(input.root).is_ok_and(|root| root < parts);
        Invalid::unless(exists, format!("root {} is not one of the ranks 0..{parts}", input.root))?;
        Invalid::unless(input.are_alike(), "the parts have different types or lengths")
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Parts>) -> Result<Parts> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, _world: &World, Parts { parts, .. }: &Parts) -> Result<TypedVec> {
        let mut all = parts[0].clone();
        for part in &parts[1..] {
            match (&mut all, part) {
                (TypedVec::Int(all), TypedVec::Int(part)) => all.extend(part),
                (TypedVec::Float(all), TypedVec::Float(part)) => all.extend(part),
                (TypedVec::Double(all), TypedVec::Double(part)) => all.extend(part),
                _ => unreachable!("validation has refused parts of different types"),
            }
        }
        Ok(all)
    }

    fn postprocessing(&self, _world: &World, all: TypedVec) -> Result<Rooted<TypedVec>> {
        Ok(Rooted::Here(all))
    }
}
