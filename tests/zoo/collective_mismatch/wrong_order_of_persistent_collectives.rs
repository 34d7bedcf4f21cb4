//! The ranks make their persistent operations in different orders.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.barrier_init()?; // WB0030 (0)
        world.bcast_init(vec![1], 0)?;
    } else {
        world.bcast_init(vec![0], 0)?; // WB0030 (1)
        world.barrier_init()?;
    }
    Ok(())
}
