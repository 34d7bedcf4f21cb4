//! A local flush completes a put here, not there, so the barrier after it orders nothing.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let all = window.lock_all()?;
    if world.rank() == 0 {
        all.put(&[7], 1, 0)?; // WB0022 (0)
        all.flush_local(1)?;
    }
    world.barrier()?;
    if world.rank() == 1 {
        window.write(0, &[8])?; // WB0022 (1)
    }
    all.unlock_all()?;
    window.free()
}
