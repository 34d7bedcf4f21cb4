//! Each rank takes itself for the root.
//!
//! ranks: 2
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let root = world.rank();
    let sum = world.ireduce(vec![1], Operation::Sum, root)?; // WB0031 (0, 1)
    sum.wait()?;
    Ok(())
}
