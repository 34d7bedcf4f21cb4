//! A barrier orders the put and the read, and a lock the memory.
//!
//! ranks: 2
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    if world.rank() == 0 {
        let lock = window.lock(LockKind::Exclusive, 1)?;
        lock.put(&[1], 0)?;
        lock.unlock()?;
    }
    world.barrier()?;
    if world.rank() == 1 {
        let lock = window.lock(LockKind::Exclusive, 1)?;
        assert_eq!(window.read_all()?, [1]);
        lock.unlock()?;
    }
    window.free()
}
