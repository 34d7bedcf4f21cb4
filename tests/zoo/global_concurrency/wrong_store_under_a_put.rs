//! The owner writes an element that another rank puts to.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let epoch = window.fence()?;
    if world.rank() == 0 {
        epoch.put(&[1], 1, 0)?; // WB0108 (0)
    } else {
        window.write(0, &[2])?; // WB0108 (1)
    }
    epoch.end()?;
    window.free()
}
