//! The message goes to rank 2, and rank 1 waits for it.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    match world.rank() {
        0 => world.send(&[1], 2, 0),               // WB0003 (0)
        1 => world.recv(&mut [0], 0, 0).map(drop), // WB0003 (1)
        _ => Ok(()),
    }
}
