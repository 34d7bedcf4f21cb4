//! Every rank names itself as the root.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut data = [world.rank()];
    world.bcast(&mut data, world.rank()) // WB0031 (0, 1)
}
