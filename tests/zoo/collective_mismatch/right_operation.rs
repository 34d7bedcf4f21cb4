//! One operation everywhere.
//!
//! ranks: 2
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut all = [0];
    world.allreduce(&[1], &mut all, Operation::Max)
}
