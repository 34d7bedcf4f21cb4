//! The message is sent first, so the program does not depend on when a rank leaves a broadcast.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.send(&[1], 1, 5)?;
    } else {
        world.recv(&mut [0], 0, 5)?;
    }
    world.bcast(&mut [7], 0)
}
