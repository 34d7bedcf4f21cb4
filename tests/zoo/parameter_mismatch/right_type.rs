//! Sent and received as f64.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&[1.0], 1, 0);
    }
    let mut number = [0.0];
    world.recv(&mut number, 0, 0)?;
    Ok(())
}
