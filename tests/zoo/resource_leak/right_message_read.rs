//! Every message has its receive.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.send(&[1, 2, 3], 1, 11)?;
    } else {
        world.recv(&mut [0; 3], 0, 11)?;
    }
    Ok(())
}
