//! Two puts of one epoch to two elements.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(2)?;
    let epoch = window.fence()?;
    if world.rank() == 0 {
        epoch.put(&[1], 1, 0)?;
        epoch.put(&[3], 1, 1)?;
    }
    epoch.end()?;
    window.free()
}
