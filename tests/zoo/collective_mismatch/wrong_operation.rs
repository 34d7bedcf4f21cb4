//! Rank 0 wants the sum, the others the largest.
//!
//! ranks: 2
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let root = world.rank() == 0;
    let operation = if root { Operation::Sum } else { Operation::Max };
    let mut all = [0];
    world.allreduce(&[1], &mut all, operation) // WB0034 (0, 1)
}
