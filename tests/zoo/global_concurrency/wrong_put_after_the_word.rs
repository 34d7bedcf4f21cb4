//! A message says that the put is done before it is: only a flush or an unlock makes it so.
//!
//! ranks: 2
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    if world.rank() == 0 {
        let lock = window.lock(LockKind::Shared, 1)?;
        lock.put(&[1], 0)?; // WB0022 (0)
        world.send(&[1], 1, 0)?;
        lock.unlock()?;
    } else {
        world.recv(&mut [0], 0, 0)?;
        window.read_all()?; // WB0022 (1)
    }
    window.free()
}
