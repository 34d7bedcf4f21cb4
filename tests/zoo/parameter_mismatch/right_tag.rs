//! Sent and awaited with one tag.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&[1], 1, 7);
    }
    world.recv(&mut [0], 0, 7)?;
    Ok(())
}
