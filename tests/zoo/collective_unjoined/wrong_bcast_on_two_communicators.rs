//! Each root broadcasts on a communicator of its own, and neither is answered.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let copy = world.dup()?;
    let mut data = [7];
    if world.rank() == 0 {
        return world.bcast(&mut data, 0); // WB0004 (0)
    }
    copy.bcast(&mut data, 1) // WB0004 (1)
}
