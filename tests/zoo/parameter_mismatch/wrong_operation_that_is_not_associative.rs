//! The average of averages depends on how the ranks are combined.
//!
//! ranks: 3
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let average = Operation::user(true, |a: f64, b: f64| (a + b) / 2.0);
    let mut mean = [0.0];
    world.allreduce(&[world.rank() as f64], &mut mean, average)?; // WB0050
    Ok(())
}
