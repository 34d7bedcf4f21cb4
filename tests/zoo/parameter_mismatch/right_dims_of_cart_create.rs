//! The grid has a place for each rank.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let dims = workbench::dims_create(world.size(), &[2, 0])?;
    world.cart_create(&dims, &[false, false], false)?;
    Ok(())
}
