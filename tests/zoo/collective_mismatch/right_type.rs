//! One type everywhere.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut number = [world.rank() as f64];
    world.bcast(&mut number, 0)
}
