//! The buffer is attached before the nonblocking buffered send, and detached after its wait.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.buffer_attach(4 + World::BSEND_OVERHEAD)?;
        let request = world.ibsend(vec![1], 1, 0)?;
        request.wait()?;
        world.buffer_detach()?;
        return Ok(());
    }
    world.recv(&mut [0], 0, 0)?;
    Ok(())
}
