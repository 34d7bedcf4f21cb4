//! Rank 0 wants the sum for all, the others for rank 0.
//!
//! ranks: 3
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut sum = [0];
    if world.rank() == 0 {
        return world.allreduce(&[1], &mut sum, Operation::Sum); // WB0030 (0)
    }
    world.reduce(&[1], None, Operation::Sum, 0) // WB0030
}
