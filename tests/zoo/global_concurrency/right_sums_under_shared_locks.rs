//! Accumulates of one operation commute and are atomic, so shared locks are enough.
//!
//! ranks: 3
use workbench::{LockKind, Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    if world.rank() > 0 {
        let lock = window.lock(LockKind::Shared, 0)?;
        lock.accumulate(&[1], 0, Operation::Sum)?;
        lock.unlock()?;
    }
    window.free()
}
