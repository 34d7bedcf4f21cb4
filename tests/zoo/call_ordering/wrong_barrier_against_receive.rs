//! Rank 1 calls the barrier only after a message that is sent after the barrier.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.barrier()?; // WB0004 (0)
        return world.send(&[1], 1, 0);
    }
    world.recv(&mut [0], 0, 0)?; // WB0004 (1)
    world.barrier()
}
