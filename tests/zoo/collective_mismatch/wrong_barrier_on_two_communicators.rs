//! All ranks call the barrier, but not on the same communicator.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let copy = world.dup()?;
    if world.rank() == 1 {
        return copy.barrier(); // WB0004 (1)
    }
    world.barrier() // WB0004 (0)
}
