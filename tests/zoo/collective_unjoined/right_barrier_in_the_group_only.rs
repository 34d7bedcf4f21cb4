//! The rank that is not in the group does not call its collectives.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let first = world.group()?.incl(&[1, 0])?;
    if let Some(part) = world.comm_create(&first)? {
        part.barrier()?;
    }
    world.barrier()
}
