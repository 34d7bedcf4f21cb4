//! A group and the whole world have a rank in common.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let copy = world.dup()?;
    copy.intercomm_create(0, world, 1, 0)?; // WB0099 (0, 1)
    Ok(())
}
