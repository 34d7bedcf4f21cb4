//! Rank 0 waits for a rank that sends.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        let mut answer = [0.0];
        world.recv(&mut answer, 1, 0)?;
        return Ok(());
    }
    world.send(&[2.5], 0, 0)
}
