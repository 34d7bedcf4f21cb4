//! Along a row that does not close, each rank sends to both neighbours before it receives.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let cart = world.cart_create(&[world.size()], &[false], false)?.expect("a place for every rank");
    let (left, right) = cart.cart_shift(0, 1)?;
    let mut halo = [0.0];
    cart.send(&[1.0], left, 0)?; // WB0020 (1)
    cart.send(&[1.0], right, 0)?; // WB0020 (0)
    cart.recv(&mut halo, left, 0)?;
    cart.recv(&mut halo, right, 0)?;
    Ok(())
}
