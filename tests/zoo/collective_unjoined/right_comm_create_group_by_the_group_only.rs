//! `comm_create_group` is collective over the group only.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let first = world.group()?.incl(&[0, 1])?;
    if first.rank().is_some() {
        world.comm_create_group(&first, 0)?.barrier()?;
    }
    Ok(())
}
