//! A put before any epoch was opened.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    window.raw().put(&[1], 1 - world.rank(), 0)?; // WB0101 (0, 1)
    window.free()
}
