//! Along a row that does not close, the neighbours beyond its ends are the null process.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let cart = world.cart_create(&[world.size()], &[false], false)?.expect("a place for every rank");
    let (left, right) = cart.cart_shift(0, 1)?;
    let mut halo = [0.0];
    cart.sendrecv(&[1.0], left, 0, &mut halo, right, 0)?;
    cart.sendrecv(&[1.0], right, 1, &mut halo, left, 1)?;
    Ok(())
}
