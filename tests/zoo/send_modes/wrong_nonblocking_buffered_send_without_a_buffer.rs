//! A nonblocking buffered send before a buffer is attached.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        let request = world.ibsend(vec![1], 1, 0)?; // WB0048 (0)
        request.wait()?;
        return Ok(());
    }
    world.recv(&mut [0], 0, 0)?;
    Ok(())
}
