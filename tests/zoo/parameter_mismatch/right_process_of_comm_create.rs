//! The group has processes of the communicator only.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if let Some(first) = world.split((world.rank() < 2).then_some(0), 0)? {
        let all = first.group()?;
        first.comm_create(&all)?;
    }
    Ok(())
}
