//! Both send first: it works as long as the library keeps the message.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    let mut theirs = [0_usize];
    world.send(&[world.rank()], partner, 0)?; // WB0020 (0, 1)
    world.recv(&mut theirs, partner, 0)?;
    Ok(())
}
