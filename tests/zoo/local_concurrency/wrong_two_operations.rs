//! A sum and a maximum on one element in one epoch.
//!
//! ranks: 2
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let epoch = window.fence()?;
    if world.rank() == 0 {
        epoch.accumulate(&[1], 1, 0, Operation::Sum)?; // WB0108 (0)
        epoch.accumulate(&[2], 1, 0, Operation::Max)?; // WB0108 (0)
    }
    epoch.end()?;
    window.free()
}
