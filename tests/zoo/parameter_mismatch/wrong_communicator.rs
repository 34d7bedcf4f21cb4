//! Sent on a copy of the communicator, awaited on the original.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let copy = world.dup()?;
    if world.rank() == 0 {
        return copy.send(&[1], 1, 0); // WB0003 (0)
    }
    world.recv(&mut [0], 0, 0)?; // WB0003 (1)
    Ok(())
}
