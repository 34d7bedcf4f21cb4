//! Rank 0 broadcasts first, rank 1 calls the barrier first.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut data = [world.rank()];
    if world.rank() == 0 {
        world.bcast(&mut data, 0)?; // WB0030 (0)
        return world.barrier();
    }
    world.barrier()?; // WB0030 (1)
    world.bcast(&mut data, 0)
}
