//! The last rank has no right neighbour.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let (rank, mut left) = (world.rank(), [0_usize]);
    world.send(&[rank], rank + 1, 0)?; // WB0042 (2)
    if rank > 0 {
        world.recv(&mut left, rank - 1, 0)?;
    }
    Ok(())
}
