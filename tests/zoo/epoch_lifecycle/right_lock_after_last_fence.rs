//! The last fence ends its epoch, and then comes the lock.
//!
//! ranks: 2
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(2)?;
    let epoch = window.fence()?;
    epoch.put(&[1], 0, world.rank())?;
    epoch.end()?;
    let lock = window.lock(LockKind::Shared, 0)?;
    lock.unlock()?;
    window.free()
}
