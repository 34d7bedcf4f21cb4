//! Rank 1 has opened four elements, 0 to 3.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(4)?;
    let epoch = window.fence()?;
    if world.rank() == 0 {
        epoch.put(&[1], 1, 4)?; // WB0047 (0)
    }
    epoch.end()?;
    window.free()
}
