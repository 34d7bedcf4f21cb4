//! One rank gathers blocks with nobody; the root has no part in it.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 2 {
        world.gatherv(&[1.5; 4], None, 0)?; // WB0004 (2)
    }
    Ok(())
}
