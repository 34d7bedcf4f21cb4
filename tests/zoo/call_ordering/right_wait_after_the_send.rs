//! The receive is started, then comes the send, then the wait.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    let request = world.irecv::<usize>(1, partner, 0)?;
    world.send(&[world.rank()], partner, 0)?;
    request.wait()?;
    Ok(())
}
