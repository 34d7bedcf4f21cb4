//! To make a communicator is a collective call too.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.split(Some(0), 0)?; // WB0030 (0)
        return Ok(());
    }
    world.barrier() // WB0030 (1)
}
