//! The rank that the grid has no place for has nothing to do.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    match world.cart_create(&[2], &[false], false)? {
        Some(cart) => cart.barrier(),
        None => Ok(()),
    }
}
