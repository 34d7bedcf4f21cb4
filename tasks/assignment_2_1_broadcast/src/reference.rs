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

    /// On one rank the root is a rank of another world of unknown size, so only a negative root is refused.
    fn validation(&self, input: &Sent, ranks: usize) -> std::result::Result<(), Invalid> {
        let is_rank = usize::try_from(input.root).is_ok_and(|root| ranks == 1 || root < ranks);
        Invalid::unless(is_rank, format!("root {} of {ranks} rank(s)", input.root))
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
