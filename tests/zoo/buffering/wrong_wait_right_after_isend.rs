//! A send that is waited for at once is a send.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    let mut theirs = [0_usize];
    let request = world.isend(vec![world.rank()], partner, 0)?; // WB0020 (0, 1)
    request.wait()?; // WB0020 (0, 1)
    world.recv(&mut theirs, partner, 0)?;
    Ok(())
}
