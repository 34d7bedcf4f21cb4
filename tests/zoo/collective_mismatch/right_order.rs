//! Every rank calls the same collectives in the same order.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut data = [world.rank()];
    world.bcast(&mut data, 0)?;
    world.barrier()
}
