//! Each puts to elements of its own under a shared lock.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<usize>(world.size())?;
    let all = window.lock_all()?;
    all.put(&[world.rank()], 0, world.rank())?;
    all.unlock_all()?;
    window.free()
}
