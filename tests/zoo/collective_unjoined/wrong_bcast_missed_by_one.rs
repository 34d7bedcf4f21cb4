//! One rank leaves before the broadcast that the root and the others call.
//!
//! ranks: 4
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 3 {
        return Ok(());
    }
    world.bcast(&mut [7], 0) // WB0004 (0, 1, 2)
}
