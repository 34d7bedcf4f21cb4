//! One rank puts what another gets in the same epoch.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let epoch = window.fence()?;
    match world.rank() {
        1 => epoch.put(&[1], 0, 0)?,    // WB0108 (1)
        2 => drop(epoch.get(1, 0, 0)?), // WB0108 (2)
        _ => {}
    }
    epoch.end()?;
    window.free()
}
