//! The lock has taken the place of the epoch that the fence would have opened.
//!
//! ranks: 2
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let epoch = window.fence()?;
    window.lock(LockKind::Shared, 0)?.unlock()?;
    epoch.put(&[1], 1 - world.rank(), 0)?; // WB0106 (0, 1)
    epoch.end()?;
    window.free()
}
