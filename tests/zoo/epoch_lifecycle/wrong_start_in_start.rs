//! A second start before the first is complete.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let partner = [1 - world.rank()];
    let exposure = window.post(&partner)?;
    let first = window.start(&partner)?;
    let second = window.start(&partner)?; // WB0102 (0, 1)
    second.complete()?;
    first.complete()?;
    exposure.wait()?;
    window.free()
}
