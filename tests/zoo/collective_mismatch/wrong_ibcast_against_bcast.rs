//! Rank 0 starts the broadcast, rank 1 calls the blocking one.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.ibcast(vec![7], 0)?.wait()?; // WB0030 (0)
        return Ok(());
    }
    world.bcast(&mut [0], 0) // WB0030 (1)
}
