//! Both look for a message before either has sent one.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    let message = world.mprobe(partner, 0)?; // WB0001 (0, 1)
    world.send(&[world.rank()], partner, 0)?;
    message.recv(&mut [0_usize])?;
    Ok(())
}
