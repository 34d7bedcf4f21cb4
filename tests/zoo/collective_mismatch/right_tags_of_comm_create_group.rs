//! The tag is the same on all ranks of the group.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let all = world.group()?;
    let (one, other) = (world.comm_create_group(&all, 0)?, world.comm_create_group(&all, 1)?);
    one.barrier()?;
    other.barrier()
}
