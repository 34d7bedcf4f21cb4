//! The numbers go round once.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let mut data = [rank];
    for _ in 0..size {
        world.sendrecv_replace(&mut data, (rank + 1) % size, 0, (rank + size - 1) % size, 0)?;
    }
    assert_eq!(data, [rank]);
    Ok(())
}
