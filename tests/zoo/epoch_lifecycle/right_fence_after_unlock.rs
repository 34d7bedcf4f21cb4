//! The lock is given back before the fence.
//!
//! ranks: 2
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let lock = window.lock(LockKind::Shared, 0)?;
    lock.unlock()?;
    let epoch = window.fence()?;
    epoch.end()?;
    window.free()
}
