//! The order of the starts is the same on all ranks; the order of the waits is free.
//!
//! ranks: 3
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let all = world.ibarrier()?;
    let sum = world.iallreduce(vec![1], Operation::Sum)?;
    if world.rank() == 1 {
        all.wait()?;
        assert_eq!(sum.wait()?, [world.size()]);
        return Ok(());
    }
    assert_eq!(sum.wait()?, [world.size()]);
    all.wait()
}
