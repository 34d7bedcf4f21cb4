//! Rank 0 waits for a rank that has nothing to send.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        let mut answer = [0.0];
        world.recv(&mut answer, 1, 0)?; // WB0002 (0)
    }
    Ok(())
}
