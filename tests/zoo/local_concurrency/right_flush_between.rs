//! A flush completes the put before the get.
//!
//! ranks: 2
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let lock = window.lock(LockKind::Exclusive, 0)?;
    lock.put(&[5], 0)?;
    lock.flush()?;
    let ticket = lock.get(1, 0)?;
    lock.unlock()?;
    ticket.take()?;
    window.free()
}
