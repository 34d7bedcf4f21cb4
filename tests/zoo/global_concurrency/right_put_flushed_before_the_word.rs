//! A flush makes the put complete, and the message after it reports that.
//!
//! ranks: 2
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    if world.rank() == 0 {
        let lock = window.lock(LockKind::Shared, 1)?;
        lock.put(&[1], 0)?;
        lock.flush()?;
        world.send(&[1], 1, 0)?;
        lock.unlock()?;
    } else {
        world.recv(&mut [0], 0, 0)?;
        assert_eq!(window.read_all()?, [1]);
    }
    window.free()
}
