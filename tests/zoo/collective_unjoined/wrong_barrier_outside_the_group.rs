//! The rank that is not in the group waits for all ranks; the others wait for those of the group.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let first = world.group()?.incl(&[1, 0])?;
    match world.comm_create(&first)? {
        Some(part) => part.barrier(),
        None => world.barrier(), // WB0004 (2)
    }
}
