//! Each sends before it looks.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    let send = world.isend(vec![world.rank()], partner, 0)?;
    let message = world.mprobe(partner, 0)?;
    message.recv(&mut [0_usize])?;
    send.wait()?;
    Ok(())
}
