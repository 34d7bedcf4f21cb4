//! Rank 0 begins, and the token comes round.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let mut token = [0];
    if rank == 0 {
        world.send(&token, 1, 0)?;
    }
    world.recv(&mut token, (rank + size - 1) % size, 0)?;
    if rank == 0 {
        return Ok(());
    }
    world.send(&token, (rank + 1) % size, 0)
}
