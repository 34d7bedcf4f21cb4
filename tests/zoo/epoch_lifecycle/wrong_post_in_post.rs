//! A second post before the first was waited for.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let partner = [1 - world.rank()];
    let first = window.post(&partner)?;
    let second = window.post(&partner)?; // WB0103 (0, 1)
    second.wait()?;
    first.wait()?;
    window.free()
}
