//! The root leaves the gather to the others, which send to it and go on.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() > 0 {
        world.gather(&[world.rank()], None, 0)?; // WB0004 (1, 2)
    }
    Ok(())
}
