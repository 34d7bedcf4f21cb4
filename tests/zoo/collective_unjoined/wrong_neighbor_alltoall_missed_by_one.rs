//! A rank that takes no part in the exchange is awaited by its neighbours.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let ring = world.cart_create(&[world.size()], &[true], false)?.expect("a place for every rank");
    if ring.rank() == 1 {
        return Ok(());
    }
    let mut halos = [0; 2];
    ring.neighbor_alltoall(&[1, 2], &mut halos) // WB0004 (0, 2)
}
