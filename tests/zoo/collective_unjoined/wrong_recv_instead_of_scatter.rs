//! The root deals out, and the others receive messages.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut data = [0];
    if world.rank() == 0 {
        return world.scatter(Some(&[1, 2, 3]), &mut data, 0); // WB0004 (0)
    }
    world.recv(&mut data, 0, 0)?; // WB0004 (1, 2)
    Ok(())
}
