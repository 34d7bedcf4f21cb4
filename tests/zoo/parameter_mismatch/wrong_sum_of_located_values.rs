//! A value with an index has no sum.
//!
//! ranks: 2
use workbench::{Located, Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut sum = [Located::default()];
    let mine = [Located::new(1.5, world.rank() as i32)];
    world.allreduce(&mine, &mut sum, Operation::Sum) // WB0045 (0, 1)
}
