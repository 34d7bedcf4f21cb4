//! Two barriers on two communicators, in one order.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let copy = world.dup()?;
    world.barrier()?;
    copy.barrier()
}
