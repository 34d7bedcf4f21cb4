//! The dimensions depend on the number of ranks only.
//!
//! ranks: 4
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let dims = workbench::dims_create(world.size(), &[0, 0])?;
    world.cart_create(&dims, &[false, false], false)?;
    Ok(())
}
