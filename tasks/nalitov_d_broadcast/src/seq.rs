//! The sequential version: with one rank, a broadcast is a copy.
//!
//! It is only the reference for the output. A copy in memory is not a baseline for a speed-up: it does less than a
//! broadcast, and no broadcast can be faster.
use assignment_2_1_broadcast::{Broadcasting, Sent as Input};
use workbench::{Invalid, Place, Result, Rooted, Task, TypedVec as Data, World};

/// Copies the data.
pub struct Seq;

impl Task for Seq {
    type Problem = Broadcasting;
    type Prepared = Data;
    type Raw = Data;

    const OUTPUT: Place = Place::Everywhere;

    /// The root is a rank of another world of unknown size, so only a negative root is rejected.
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
