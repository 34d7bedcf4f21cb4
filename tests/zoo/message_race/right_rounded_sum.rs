//! A sum in the order of arrival is rounded in that order: a remark, and no fault.
//!
//! ranks: 4
use workbench::{ANY_SOURCE, Result, World};

pub fn program(world: &World) -> Result<f64> {
    if world.rank() > 0 {
        world.send(&[world.rank() as f64 / 10.0], 0, 0)?;
        return Ok(0.0);
    }
    let (mut sum, mut number) = (0.0, [0.0]);
    for _ in 1..world.size() {
        world.recv(&mut number, ANY_SOURCE, 0)?;
        sum += number[0];
    }
    Ok(sum)
}
