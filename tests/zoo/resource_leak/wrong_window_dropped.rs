//! A window is dropped and not freed.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(4)?; // WB0012 (0, 1)
    let epoch = window.fence()?;
    epoch.put(&[1], 1 - world.rank(), 0)?;
    epoch.end()
}
