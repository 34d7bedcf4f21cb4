//! Rank 0 waits for a rank that has nothing to send, while another one is in a barrier.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    match world.rank() {
        0 => world.recv(&mut [0.0], 2, 0).map(drop), // WB0002 (0)
        1 => world.barrier(),
        _ => Ok(()),
    }
}
