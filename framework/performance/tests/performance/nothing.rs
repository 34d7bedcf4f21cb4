//! A task whose `run` is empty.
use wb_task::{Input, Invalid, Place, Task};
use wb_world::{Result, Rooted, World};

use super::adder::Sum;

/// Does nothing in `run`, so that only the harness is measured.
pub(super) struct Nothing;

impl Task for Nothing {
    type Problem = Sum;
    type Prepared = u64;
    type Raw = u64;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, _: &Input<Self>, _: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, _: &World, input: Rooted<Vec<u64>>) -> Result<u64> {
        Ok(input.here().map_or(0, |all| all.iter().sum()))
    }

    fn run(&self, _: &World, sum: &u64) -> Result<u64> {
        Ok(*sum)
    }

    fn postprocessing(&self, world: &World, raw: u64) -> Result<Rooted<u64>> {
        Ok(Rooted::on(world.rank() == 0, || raw))
    }
}
