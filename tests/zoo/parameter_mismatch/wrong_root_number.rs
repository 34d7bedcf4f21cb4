//! Ranks are numbered from 0, so the last is not P.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut data = [world.rank()];
    world.bcast(&mut data, world.size()) // WB0042 (0, 1)
}
