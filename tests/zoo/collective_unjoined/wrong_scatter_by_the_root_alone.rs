//! The root deals out blocks that no rank takes.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.scatter(Some(&[1, 2, 3]), &mut [0], 0)?; // WB0004 (0)
    }
    Ok(())
}
