//! All ranks call the broadcast.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    world.bcast(&mut [7], 0)
}
