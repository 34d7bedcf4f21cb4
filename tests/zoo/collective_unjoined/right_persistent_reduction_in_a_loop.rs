//! All ranks start the reduction as often.
//!
//! ranks: 3
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut sum = world.allreduce_init(vec![world.rank()], Operation::Sum)?;
    for _ in 0..2 {
        sum.start()?;
        sum.wait()?;
        assert_eq!(sum.result_mut()?, [3]);
    }
    Ok(())
}
