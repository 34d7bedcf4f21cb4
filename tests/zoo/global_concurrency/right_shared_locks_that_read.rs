//! Shared locks are for readers: gets disturb no gets.
//!
//! ranks: 3
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window_of(vec![4i64])?;
    if world.rank() > 0 {
        let lock = window.lock(LockKind::Shared, 0)?;
        let four = lock.get(1, 0)?;
        lock.unlock()?;
        assert_eq!(four.take()?, [4]);
    }
    window.free()
}
