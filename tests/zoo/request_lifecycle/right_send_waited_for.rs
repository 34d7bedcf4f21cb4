//! Every request is waited for.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.isend(vec![1], 1, 0)?.wait()?;
        return Ok(());
    }
    world.recv(&mut [0], 0, 0)?;
    Ok(())
}
