//! Two barriers on two communicators, in two orders.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let copy = world.dup()?;
    if world.rank() == 0 {
        world.barrier()?; // WB0004 (0)
        return copy.barrier();
    }
    copy.barrier()?; // WB0004 (1)
    world.barrier()
}
