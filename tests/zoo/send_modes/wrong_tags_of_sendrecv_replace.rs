//! Both send with tag 1 and wait for tag 2.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    let mut data = [world.rank()];
    world.sendrecv_replace(&mut data, partner, 1, partner, 2)?; // WB0003 (0, 1)
    Ok(())
}
