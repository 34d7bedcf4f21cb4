//! Both send with tag 1 and wait for tag 2.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    let mut theirs = [0];
    world.sendrecv(&[1], partner, 1, &mut theirs, partner, 2)?; // WB0003 (0, 1)
    Ok(())
}
