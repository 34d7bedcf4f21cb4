//! Rank 0 ends the epoch, rank 1 the window.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    if world.rank() == 0 {
        drop(window.fence()?); // WB0030 (0)
        return Ok(());
    }
    window.free() // WB0030 (1)
}
