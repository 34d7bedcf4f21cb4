//! The message that the matched probe has taken is not received.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&[1], 1, 0); // WB0010 (0)
    }
    drop(world.mprobe(0, 0)?);
    Ok(())
}
