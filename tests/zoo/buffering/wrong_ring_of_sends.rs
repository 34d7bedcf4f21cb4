//! Every rank sends to the right before it receives from the left.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let mut left = [0_usize];
    world.send(&[rank], (rank + 1) % size, 0)?; // WB0020 (0, 1, 2)
    world.recv(&mut left, (rank + size - 1) % size, 0)?;
    Ok(())
}
