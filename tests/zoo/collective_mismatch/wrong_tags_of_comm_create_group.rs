//! Each rank of the group has a tag of its own.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let all = world.group()?;
    world.comm_create_group(&all, world.rank() as i32)?; // WB0001 (0, 1)
    Ok(())
}
