//! The ranks reduce with two operations.
//!
//! ranks: 2
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let sum = Operation::user(true, |a: i64, b: i64| a + b);
    let product = Operation::user(true, |a: i64, b: i64| a * b);
    let mine = if world.rank() == 0 { sum } else { product };
    let mut result = [0_i64];
    world.allreduce(&[2], &mut result, mine)?; // WB0034 (0, 1)
    Ok(())
}
