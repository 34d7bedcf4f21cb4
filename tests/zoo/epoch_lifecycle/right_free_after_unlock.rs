//! Freed outside all epochs.
//!
//! ranks: 2
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    window.lock(LockKind::Shared, 0)?.unlock()?;
    window.free()
}
