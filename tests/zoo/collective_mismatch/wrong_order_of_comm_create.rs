//! The ranks name the same group in two orders.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let order = if world.rank() == 0 { [0, 1] } else { [1, 0] };
    let group = world.group()?.incl(&order)?;
    world.comm_create(&group)?; // WB0035 (0, 1)
    Ok(())
}
