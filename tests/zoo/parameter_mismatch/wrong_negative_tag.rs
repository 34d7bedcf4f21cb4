//! A tag below zero.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.send(&[1], 1, -1)?; // WB0043 (0)
    }
    Ok(())
}
