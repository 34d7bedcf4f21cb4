//! A lock is dropped instead of unlocked.
//!
//! ranks: 2
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    drop(window.lock(LockKind::Shared, 0)?);
    window.lock(LockKind::Shared, 1)?.unlock()?; // WB0109 (0, 1)
    window.free()
}
