//! Sent and awaited on the same copy.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let copy = world.dup()?;
    if world.rank() == 0 {
        return copy.send(&[1], 1, 0);
    }
    copy.recv(&mut [0], 0, 0)?;
    Ok(())
}
