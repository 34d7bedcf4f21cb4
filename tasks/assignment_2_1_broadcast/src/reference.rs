//! The instructor's sequential version: with one rank, a broadcast is a copy.
use workbench::{Invalid, Place, Result, Rooted, Task, TypedVec, World};

use crate::problem::{Broadcasting, Sent};

/// Copies the data.
#[derive(Default)]
pub struct Reference;

impl Task for Reference {
    type Problem = Broadcasting;
    type Prepared = TypedVec;
    type Raw = TypedVec;

    const OUTPUT: Place = Place::Everywhere;

    /// The root is a rank of another world of unknown size, so only a negative root is rejected.
    fn validation(&self, input: &Sent, _ranks: usize) -> std::result::Result<(), Invalid> {
        Invalid::unless(input.root >= 0, format!("root {} is negative", input.root))
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Sent>) -> Result<TypedVec> {
        Ok(input.here().expect("the only rank has the input").data)
    }

    fn run(&self, _world: &World, data: &TypedVec) -> Result<TypedVec> {
        Ok(data.clone())
    }

    fn postprocessing(&self, _world: &World, data: TypedVec) -> Result<Rooted<TypedVec>> {
        Ok(Rooted::Here(data))
    }
}
