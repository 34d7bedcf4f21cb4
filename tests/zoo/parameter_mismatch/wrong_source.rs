//! Rank 2 sends, and rank 0 listens to rank 1.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    match world.rank() {
        0 => world.recv(&mut [0], 1, 0).map(drop), // WB0003 (0)
        2 => world.send(&[1], 0, 0),               // WB0003 (2)
        _ => Ok(()),
    }
}
