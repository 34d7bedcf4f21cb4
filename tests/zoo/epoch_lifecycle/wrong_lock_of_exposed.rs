//! A rank locks its own part while it is exposed.
//!
//! ranks: 2
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let partner = [1 - world.rank()];
    let exposure = window.post(&partner)?;
    let lock = window.lock(LockKind::Exclusive, world.rank())?; // WB0107 (0, 1)
    lock.unlock()?;
    window.start(&partner)?.complete()?;
    exposure.wait()?;
    window.free()
}
