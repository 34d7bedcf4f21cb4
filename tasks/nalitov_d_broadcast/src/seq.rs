//! The sequential version: with one rank, a broadcast is a copy.
//!
//! It is the reference for the answers only. A copy in memory is no base for a speed-up: it does not do what a
//! broadcast does, and no broadcast can be faster.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::problem::{Broadcasting, Data, Input};

/// Copies the data.
pub struct Seq;

impl Task for Seq {
    type Problem = Broadcasting;
    type Prepared = Data;
    type Raw = Data;

    const OUTPUT: Place = Place::Everywhere;

    /// The root belongs to a world that is not this one, so all that can be said is that it is no rank anywhere.
    fn validation(&self, input: &Input, _ranks: usize) -> std::result::Result<(), Invalid> {
        Invalid::unless(input.root >= 0, format!("root {} is negative", input.root))
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Input>) -> Result<Data> {
        Ok(input.here().expect("the only rank has the input").data)
    }

    fn run(&self, _world: &World, data: &Data) -> Result<Data> {
        Ok(data.clone())
    }

    fn postprocessing(&self, _world: &World, data: Data) -> Result<Rooted<Data>> {
        Ok(Rooted::Here(data))
    }
}
