//! Rank 0 returns before the barrier that all others call.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return Ok(());
    }
    world.barrier() // WB0004 (1, 2)
}
