//! Accumulates of different operations do not go together.
//!
//! ranks: 3
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let all = window.lock_all()?;
    match world.rank() {
        1 => all.accumulate(&[1], 0, 0, Operation::Sum)?, // WB0022 (1)
        2 => all.accumulate(&[5], 0, 0, Operation::Max)?, // WB0022 (2)
        _ => {}
    }
    all.unlock_all()?;
    window.free()
}
