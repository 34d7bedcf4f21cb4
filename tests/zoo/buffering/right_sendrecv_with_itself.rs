//! A rank sends to itself and receives in one call: right whatever the library keeps.
//!
//! ranks: 1
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut got = [0_usize];
    world.sendrecv(&[world.rank()], world.rank(), 0, &mut got, world.rank(), 0)?;
    Ok(())
}
