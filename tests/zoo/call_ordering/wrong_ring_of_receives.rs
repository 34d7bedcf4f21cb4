//! Every rank waits for its left neighbour, and none sends first.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let mut token = [0];
    world.recv(&mut token, (rank + size - 1) % size, 0)?; // WB0001 (0, 1, 2)
    world.send(&token, (rank + 1) % size, 0)
}
