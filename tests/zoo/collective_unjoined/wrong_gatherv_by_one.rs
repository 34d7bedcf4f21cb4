//! One rank alone calls the gather of blocks; the root does not.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 2 {
        world.gatherv(&[1.5; 4], None, 0)?; // WB0004 (2)
    }
    Ok(())
}
