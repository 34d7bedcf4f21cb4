//! One rank leaves the loop before the last start.
//!
//! ranks: 3
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut sum = world.allreduce_init(vec![world.rank()], Operation::Sum)?; // WB0004 (0, 1)
    let turns = if world.rank() == 2 { 1 } else { 2 };
    for _ in 0..turns {
        sum.start()?; // WB0004 (0, 1)
        sum.wait()?; // WB0004 (0, 1)
    }
    Ok(())
}
