//! The request of a send is dropped.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        drop(world.isend(vec![1], 1, 0)?); // WB0011 (0)
        return Ok(());
    }
    world.recv(&mut [0], 0, 0)?;
    Ok(())
}
