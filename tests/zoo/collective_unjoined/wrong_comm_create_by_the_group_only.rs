//! `comm_create` is collective over all ranks, not over the group.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let first = world.group()?.incl(&[0, 1])?;
    if first.rank().is_some() {
        world.comm_create(&first)?; // WB0004 (0, 1)
    }
    Ok(())
}
