//! Two puts of one epoch to one element: which comes last is undefined.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(2)?;
    let epoch = window.fence()?;
    if world.rank() == 0 {
        epoch.put(&[1, 2], 1, 0)?; // WB0108 (0)
        epoch.put(&[3], 1, 1)?; // WB0108 (0)
    }
    epoch.end()?;
    window.free()
}
