//! The rank of a process in the world is not its rank in the group's communicator.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let last = world.group()?.incl(&[1, 2])?;
    let Some(part) = world.comm_create(&last)? else { return Ok(()) };
    let mut data = [world.rank()];
    part.bcast(&mut data, 2) // WB0042 (1, 2)
}
