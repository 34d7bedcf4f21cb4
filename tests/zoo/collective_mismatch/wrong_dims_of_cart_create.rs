//! Each rank has dimensions of its own.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let dims = if world.rank() == 0 { [2, 1] } else { [1, 2] };
    world.cart_create(&dims, &[false, false], false)?; // WB0035 (0, 1)
    Ok(())
}
