//! The receiver posts its receive, and says so before the ready send.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.recv(&mut [0_u8; 0], 1, 1)?;
        return world.rsend(&[1], 1, 0);
    }
    let request = world.irecv::<i32>(1, 0, 0)?;
    world.send(&[0_u8; 0], 0, 1)?;
    request.wait()?;
    Ok(())
}
