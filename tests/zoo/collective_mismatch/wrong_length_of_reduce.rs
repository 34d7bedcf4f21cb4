//! Vectors of different lengths cannot be added.
//!
//! ranks: 2
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mine = vec![1; 2 + world.rank()];
    let mut sum = mine.clone();
    world.allreduce(&mine, &mut sum, Operation::Sum) // WB0032 (0, 1)
}
