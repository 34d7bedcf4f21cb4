//! The group has a process that the communicator has not.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let all = world.group()?;
    if let Some(first) = world.split((world.rank() < 2).then_some(0), 0)? {
        first.comm_create(&all)?; // WB0099 (0, 1)
    }
    Ok(())
}
