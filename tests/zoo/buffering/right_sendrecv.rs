//! One call that sends and receives in any order that works.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    let mut theirs = [0_usize];
    world.sendrecv(&[world.rank()], partner, 0, &mut theirs, partner, 0)?;
    Ok(())
}
