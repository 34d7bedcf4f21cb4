//! The root passes its block alone, and has no room for the others.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut data = [0.5; 3];
    world.gather_in_place(&mut data, 0) // WB0044 (0)
}
