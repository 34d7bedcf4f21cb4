//! Every rank of the ring takes part in the exchange.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let ring = world.cart_create(&[world.size()], &[true], false)?.expect("a place for every rank");
    let mut halos = [0; 2];
    ring.neighbor_alltoall(&[1, 2], &mut halos)
}
