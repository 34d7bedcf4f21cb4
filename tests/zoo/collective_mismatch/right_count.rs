//! The same number of elements everywhere.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut data = vec![0; 2];
    world.bcast(&mut data, 0)
}
