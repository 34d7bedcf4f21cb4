//! Exclusive locks: one after the other, in an order that no rank relies on.
//!
//! ranks: 3
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<usize>(1)?;
    if world.rank() > 0 {
        let lock = window.lock(LockKind::Exclusive, 0)?;
        lock.put(&[world.rank()], 0)?;
        lock.unlock()?;
    }
    window.free()
}
