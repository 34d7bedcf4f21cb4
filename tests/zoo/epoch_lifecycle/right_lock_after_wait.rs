//! Locked when the exposure is over.
//!
//! ranks: 2
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let partner = [1 - world.rank()];
    let exposure = window.post(&partner)?;
    window.start(&partner)?.complete()?;
    exposure.wait()?;
    world.barrier()?;
    let lock = window.lock(LockKind::Exclusive, world.rank())?;
    lock.unlock()?;
    window.free()
}
