//! The neighbour is computed wrongly: it is the rank itself.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let neighbour = (rank + size) % size;
    let mut theirs = [0_usize];
    world.recv(&mut theirs, neighbour, 0)?; // WB0001 (0, 1)
    world.send(&[rank], neighbour, 0)
}
