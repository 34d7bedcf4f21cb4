//! A window is freed while a lock is held.
//!
//! ranks: 2
use workbench::{Assertion, LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    window.raw().lock(LockKind::Shared, 0, Assertion::default())?;
    window.free() // WB0110 (0, 1)
}
