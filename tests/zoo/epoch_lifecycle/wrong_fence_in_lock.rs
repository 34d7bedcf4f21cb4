//! A fence while a lock is held.
//!
//! ranks: 2
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let lock = window.lock(LockKind::Shared, 0)?;
    let epoch = window.fence()?; // WB0105 (0, 1)
    epoch.end()?;
    lock.unlock()?;
    window.free()
}
