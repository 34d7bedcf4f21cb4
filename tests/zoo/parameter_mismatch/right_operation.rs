//! A maximum of floating-point numbers.
//!
//! ranks: 2
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut all = [0.0];
    world.allreduce(&[1.5], &mut all, Operation::Max)
}
