//! Two fences with an access between them are an epoch, here around that of a lock.
//!
//! ranks: 2
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(2)?;
    drop(window.fence()?);
    let lock = window.lock(LockKind::Shared, 0)?;
    lock.put(&[1], world.rank())?; // WB0106 (0, 1)
    lock.unlock()?;
    window.fence()?.end()?; // WB0106 (0, 1)
    window.free()
}
