//! One rank sums, the other takes the maximum.
//!
//! ranks: 2
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.iallreduce(vec![1.0], Operation::Sum)?.wait()?; // WB0034 (0)
        return Ok(());
    }
    world.iallreduce(vec![1.0], Operation::Max)?.wait()?; // WB0034 (1)
    Ok(())
}
