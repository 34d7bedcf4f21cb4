//! The request of a receive is dropped.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 1 {
        drop(world.irecv::<u64>(1, 0, 77)?); // WB0011 (1)
    }
    Ok(())
}
