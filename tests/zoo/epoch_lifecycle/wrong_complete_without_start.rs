//! A complete without its start.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    window.raw().complete()?; // WB0109 (0, 1)
    window.free()
}
