//! Each rank starts both operations before it waits, but not in the same order.
//!
//! ranks: 2
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        let all = world.ibarrier()?; // WB0030 (0)
        let sum = world.iallreduce(vec![1], Operation::Sum)?;
        all.wait()?;
        sum.wait()?;
        return Ok(());
    }
    let sum = world.iallreduce(vec![1], Operation::Sum)?; // WB0030 (1)
    let all = world.ibarrier()?;
    sum.wait()?;
    all.wait()
}
