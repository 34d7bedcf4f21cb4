//! The vectors that are added in place have different lengths.
//!
//! ranks: 2
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut sum = vec![1; 2 + world.rank()];
    world.allreduce_in_place(&mut sum, Operation::Sum) // WB0032 (0, 1)
}
