//! One half broadcasts on a communicator of its own.
//!
//! ranks: 4
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let half = world.split(Some(u32::from(world.rank() > 1)), 0)?.expect("everybody is in one");
    if world.rank() > 1 {
        half.bcast(&mut [7], 0)?;
    }
    Ok(())
}
