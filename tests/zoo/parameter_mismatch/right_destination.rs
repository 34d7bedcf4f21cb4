//! The last rank sends to the first.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let (rank, size, mut left) = (world.rank(), world.size(), [0_usize]);
    let request = world.isend(vec![rank], (rank + 1) % size, 0)?;
    world.recv(&mut left, (rank + size - 1) % size, 0)?;
    request.wait()?;
    Ok(())
}
