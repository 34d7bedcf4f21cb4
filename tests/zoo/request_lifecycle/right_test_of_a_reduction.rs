//! Test until the sum is there, and then wait, which returns it.
//!
//! ranks: 3
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut sum = world.iallreduce(vec![world.rank()], Operation::Sum)?;
    while !sum.test()? {}
    assert_eq!(sum.wait()?, [3]);
    Ok(())
}
