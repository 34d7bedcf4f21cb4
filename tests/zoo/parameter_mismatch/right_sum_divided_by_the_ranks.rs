//! The sum is associative. It is divided by the number of ranks afterwards.
//!
//! ranks: 3
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let sum = Operation::user(true, |a: f64, b: f64| a + b);
    let mut total = [0.0];
    world.allreduce(&[world.rank() as f64], &mut total, sum)?;
    assert_eq!(total[0] / world.size() as f64, 1.0);
    Ok(())
}
