//! The root broadcasts, and no other rank calls it.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.bcast(&mut [7], 0)?; // WB0004 (0)
    }
    Ok(())
}
