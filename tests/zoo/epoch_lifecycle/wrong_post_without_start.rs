//! Rank 0 posts to a rank that never starts.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    if world.rank() == 0 {
        window.post(&[1])?.wait()?; // WB0111 (0)
    }
    window.free()
}
