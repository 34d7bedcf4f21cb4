//! Locked is rank 0, unlocked is rank 1.
//!
//! ranks: 2
use workbench::{Assertion, LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let raw = window.raw();
    raw.lock(LockKind::Shared, 0, Assertion::default())?;
    raw.unlock(1)?; // WB0109 (0, 1)
    window.free()
}
