//! One sends first, the other receives first.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    let mut theirs = [0_usize];
    if world.rank() == 0 {
        world.send(&[world.rank()], partner, 0)?;
        world.recv(&mut theirs, partner, 0)?;
    } else {
        world.recv(&mut theirs, partner, 0)?;
        world.send(&[world.rank()], partner, 0)?;
    }
    Ok(())
}
