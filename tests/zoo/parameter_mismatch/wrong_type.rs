//! Sent as f64, received as i64: the same size and another meaning.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&[1.0], 1, 0); // WB0041 (0)
    }
    let mut number = [0_i64];
    world.recv(&mut number, 0, 0)?; // WB0041 (1)
    Ok(())
}
