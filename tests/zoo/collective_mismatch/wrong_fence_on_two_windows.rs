//! Each rank fences another window first.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let windows = [world.window::<i64>(1)?, world.window::<i64>(1)?];
    windows[world.rank()].fence()?.end()?; // WB0004 (0, 1)
    windows[1 - world.rank()].fence()?.end()?;
    windows.into_iter().try_for_each(|window| window.free())
}
