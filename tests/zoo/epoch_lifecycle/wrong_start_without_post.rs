//! Rank 0 starts to a rank that never posts.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    if world.rank() == 1 {
        return window.free();
    }
    window.start(&[1])?.complete()?; // WB0111 (0)
    window.free()
}
