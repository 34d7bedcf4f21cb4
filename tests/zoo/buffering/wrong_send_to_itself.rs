//! A rank sends to itself before it receives: a library that buffers keeps the message, another one waits for ever.
//!
//! ranks: 1
//! seen by: checker
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut got = [0_usize];
    world.send(&[world.rank()], world.rank(), 0)?; // WB0020 (0)
    world.recv(&mut got, world.rank(), 0)?;
    Ok(())
}
