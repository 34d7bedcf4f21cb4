//! A buffered send before a buffer is attached.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.bsend(&[1], 1, 0); // WB0048 (0)
    }
    world.recv(&mut [0], 0, 0)?;
    Ok(())
}
