//! Two ranks put to one element in one epoch.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<usize>(1)?;
    let epoch = window.fence()?;
    if world.rank() > 0 {
        epoch.put(&[world.rank()], 0, 0)?; // WB0108 (1, 2)
    }
    epoch.end()?;
    window.free()
}
