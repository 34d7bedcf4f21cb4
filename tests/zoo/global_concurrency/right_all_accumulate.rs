//! Accumulates of one operation may meet in one element.
//!
//! ranks: 3
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let epoch = window.fence()?;
    if world.rank() > 0 {
        epoch.accumulate(&[1], 0, 0, Operation::Sum)?;
    }
    epoch.end()?;
    window.free()
}
