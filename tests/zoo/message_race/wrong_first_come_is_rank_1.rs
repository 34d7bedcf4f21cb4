//! Rank 0 takes the first message for that of rank 1.
//!
//! ranks: 3
//! seen by: checker
use workbench::{ANY_SOURCE, Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() > 0 {
        return world.send(&vec![0; world.rank()], 0, 0);
    }
    let (mut short, mut long) = ([0; 1], [0; 2]);
    world.recv(&mut short, ANY_SOURCE, 0)?; // WB0021 (0)
    world.recv(&mut long, ANY_SOURCE, 0)?;
    Ok(())
}
