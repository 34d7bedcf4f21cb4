//! All ranks reduce with one operation.
//!
//! ranks: 2
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let sum = Operation::user(true, |a: i64, b: i64| a + b);
    let mut result = [0_i64];
    world.allreduce(&[2], &mut result, sum)?;
    assert_eq!(result, [4]);
    Ok(())
}
