//! The ready send may come before the receive is posted.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.rsend(&[1], 1, 0); // WB0049 (0)
    }
    world.recv(&mut [0], 0, 0)?;
    Ok(())
}
