//! One rank of the group takes itself for a rank outside.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let even = world.group()?.range_incl(&[(0, 2, 2)])?;
    if world.rank() == 0 {
        world.comm_create_group(&even, 0)?; // WB0004 (0)
    }
    Ok(())
}
