//! One rank returns before it waits for the sum.
//!
//! ranks: 2
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let sum = world.iallreduce(vec![world.rank()], Operation::Sum)?; // WB0011 (1)
    if world.rank() == 1 {
        return Ok(());
    }
    assert_eq!(sum.wait()?, [1]);
    Ok(())
}
