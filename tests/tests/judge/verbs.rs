//! A verb that is wrong for more than one element.
use wb_task::Communication;
use wb_world::{Rank, Result, World};

/// A broadcast of the first element, to one rank after the other.
pub(crate) struct OneElementOnly;

impl Communication for OneElementOnly {
    const OPERATION: &'static str = "bcast";
    const MESSAGES: &'static str = "P - 1";
    const ROUNDS: &'static str = "P - 1";

    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        if world.rank() != root {
            return world.recv(&mut data[..1], root, 0).map(drop);
        }
        (0..world.size()).filter(|&rank| rank != root).try_for_each(|rank| world.send(&data[..1], rank, 0))
    }

    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        world.bcast(data, root)
    }

    fn messages(&self, ranks: usize) -> u64 {
        ranks as u64 - 1
    }

    fn rounds(&self, ranks: usize) -> u64 {
        ranks as u64 - 1
    }
}
