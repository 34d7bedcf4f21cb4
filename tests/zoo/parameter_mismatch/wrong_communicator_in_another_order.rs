//! Sent on the world, awaited on a communicator in which the receiver itself is rank 0.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let reversed = world.split(Some(0), -(world.rank() as i32))?.expect("every rank joins");
    if world.rank() == 0 {
        return world.send(&[1], 1, 0); // WB0003 (0)
    }
    reversed.recv(&mut [0], 0, 0)?; // WB0003 (1)
    Ok(())
}
