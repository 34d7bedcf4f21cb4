//! Each brings as many elements as its rank says.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut data = vec![0; 1 + world.rank()];
    world.bcast(&mut data, 0) // WB0032 (0, 1)
}
