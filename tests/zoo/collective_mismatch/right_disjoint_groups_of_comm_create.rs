//! The ranks name groups that have no rank in common.
//!
//! ranks: 4
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let low = world.rank() / 2 * 2;
    let group = world.group()?.incl(&[low + 1, low])?;
    let Some(pair) = world.comm_create(&group)? else { return Ok(()) };
    pair.barrier()
}
