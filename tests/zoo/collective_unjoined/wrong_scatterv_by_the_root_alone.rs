//! The root deals out blocks of different lengths that no rank takes.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.scatterv(Some((&[1, 2, 3], &[1, 2])), &mut [0], 0)?; // WB0004 (0)
    }
    Ok(())
}
