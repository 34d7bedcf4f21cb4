//! The fence before the lock opens no epoch, so the next one closes none around it.
//!
//! ranks: 2
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(2)?;
    window.fence()?.end()?;
    let lock = window.lock(LockKind::Shared, 0)?;
    lock.put(&[1], world.rank())?;
    lock.unlock()?;
    window.fence()?.end()?;
    window.free()
}
