//! Who posts is named by who starts, and the other way round.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    if world.rank() == 0 {
        let access = window.start(&[1, 2])?;
        access.put(&[1], 1, 0)?;
        access.put(&[1], 2, 0)?;
        access.complete()?;
    } else {
        window.post(&[0])?.wait()?;
    }
    window.free()
}
