//! Four elements are sent, and there is room for two.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&[1, 2, 3, 4], 1, 0); // WB0040 (0)
    }
    let mut room = [0; 2];
    world.recv(&mut room, 0, 0)?; // WB0040 (1)
    Ok(())
}
