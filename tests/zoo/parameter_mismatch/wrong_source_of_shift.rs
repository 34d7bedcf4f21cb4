//! Each rank sends along the ring and receives from the rank to which it sends.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let ring = world.cart_create(&[world.size()], &[true], false)?.expect("a place for every rank");
    let (_source, destination) = ring.cart_shift(0, 1)?;
    let mut data = [0];
    let request = ring.isend(vec![1], destination, 0)?; // WB0003 (0, 1, 2)
    ring.recv(&mut data, destination, 0)?; // WB0003 (0, 1, 2)
    request.wait()?;
    Ok(())
}
