//! The grid has two rows for each rank.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    world.cart_create(&[2, world.size()], &[false, false], false)?; // WB0099 (0, 1)
    Ok(())
}
