//! Sent with tag 7, awaited with tag 8.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&[1], 1, 7); // WB0003 (0)
    }
    world.recv(&mut [0], 0, 8)?; // WB0003 (1)
    Ok(())
}
