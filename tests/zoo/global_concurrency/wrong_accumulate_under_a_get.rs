//! An accumulate is atomic towards accumulates, not towards a get.
//!
//! ranks: 3
use workbench::{LockKind, Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(2)?;
    let lock = window.lock(LockKind::Shared, 0)?;
    match world.rank() {
        1 => lock.accumulate(&[1, 1], 0, Operation::Sum)?, // WB0022 (1)
        2 => drop(lock.get(1, 1)?),                        // WB0022 (2)
        _ => {}
    }
    lock.unlock()?;
    window.free()
}
