//! The broadcast is taken for a send, which the others receive.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut data = [7];
    if world.rank() == 0 {
        return world.bcast(&mut data, 0); // WB0004 (0)
    }
    world.recv(&mut data, 0, 0)?; // WB0004 (1, 2)
    Ok(())
}
