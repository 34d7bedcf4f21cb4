//! The request of a receive is dropped, and its message goes with it.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&[7], 1, 77);
    }
    drop(world.irecv::<i32>(1, 0, 77)?); // WB0011 (1)
    Ok(())
}
