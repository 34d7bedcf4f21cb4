//! The start names rank 1, and the put goes to rank 2.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    if world.rank() == 0 {
        let access = window.start(&[1])?;
        access.put(&[1], 2, 0)?; // WB0101 (0)
        access.complete()?;
    }
    if world.rank() == 1 {
        window.post(&[0])?.wait()?;
    }
    window.free()
}
