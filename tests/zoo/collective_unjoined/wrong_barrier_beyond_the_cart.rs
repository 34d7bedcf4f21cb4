//! The rank that the grid has no place for waits for all ranks; the others wait for those of the grid.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    match world.cart_create(&[2], &[false], false)? {
        Some(cart) => cart.barrier(),
        None => world.barrier(), // WB0004 (2)
    }
}
