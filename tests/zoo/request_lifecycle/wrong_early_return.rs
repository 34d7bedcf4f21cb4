//! A condition leads past the wait.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        let request = world.isend(vec![1], 1, 0)?; // WB0011 (0)
        if world.size() < 4 {
            return Ok(());
        }
        request.wait()?;
    }
    if world.rank() == 1 {
        world.recv(&mut [0], 0, 0)?;
    }
    Ok(())
}
