//! The receiver posts its receive, and says so before the nonblocking ready send.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.recv(&mut [0_u8; 0], 1, 1)?;
        let request = world.irsend(vec![1], 1, 0)?;
        request.wait()?;
        return Ok(());
    }
    let request = world.irecv::<i32>(1, 0, 0)?;
    world.send(&[0_u8; 0], 0, 1)?;
    request.wait()?;
    Ok(())
}
