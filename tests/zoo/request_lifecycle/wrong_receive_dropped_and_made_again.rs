//! A started receive is taken for a look: it has the message, and the receive after it gets none.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&[7], 1, 3);
    }
    drop(world.irecv::<i32>(1, 0, 3)?); // WB0011 (1)
    world.recv(&mut [0], 0, 3)?;
    Ok(())
}
