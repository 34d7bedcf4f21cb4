//! A lock while the epoch of a fence is open.
//!
//! ranks: 2
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(2)?;
    let epoch = window.fence()?;
    epoch.put(&[1], 0, world.rank())?;
    let lock = window.lock(LockKind::Shared, 0)?; // WB0102 (0, 1)
    lock.unlock()?;
    epoch.end()?;
    window.free()
}
