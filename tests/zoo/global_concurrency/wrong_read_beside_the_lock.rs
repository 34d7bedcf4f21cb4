//! The owner reads its part without a lock while another rank may be inside.
//!
//! ranks: 2
use workbench::{LockKind, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    if world.rank() == 0 {
        let lock = window.lock(LockKind::Exclusive, 1)?;
        lock.put(&[1], 0)?; // WB0022 (0)
        lock.unlock()?;
    } else {
        window.read_all()?; // WB0022 (1)
    }
    window.free()
}
