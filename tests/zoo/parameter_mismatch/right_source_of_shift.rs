//! Each rank receives from the source of the shift.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let ring = world.cart_create(&[world.size()], &[true], false)?.expect("a place for every rank");
    let (source, destination) = ring.cart_shift(0, 1)?;
    let mut data = [0];
    let request = ring.isend(vec![1], destination, 0)?;
    ring.recv(&mut data, source, 0)?;
    request.wait()?;
    Ok(())
}
