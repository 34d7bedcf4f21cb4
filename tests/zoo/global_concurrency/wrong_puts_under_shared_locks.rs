//! Shared locks do not exclude each other, so the two puts race.
//!
//! ranks: 3
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<usize>(1)?;
    if world.rank() > 0 {
        let lock = window.lock(LockKind::Shared, 0)?;
        lock.put(&[world.rank()], 0)?; // WB0022 (1, 2)
        lock.unlock()?;
    }
    window.free()
}
