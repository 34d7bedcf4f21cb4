//! A get of one epoch need not see the put before it.
//!
//! ranks: 2
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let lock = window.lock(LockKind::Exclusive, 0)?;
    lock.put(&[5], 0)?; // WB0108
    let ticket = lock.get(1, 0)?; // WB0108
    lock.unlock()?;
    ticket.take()?;
    window.free()
}
