//! After the lock another fence, and then the put.
//!
//! ranks: 2
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    drop(window.fence()?);
    window.lock(LockKind::Shared, 0)?.unlock()?;
    let epoch = window.fence()?;
    epoch.put(&[1], 1 - world.rank(), 0)?;
    epoch.end()?;
    window.free()
}
