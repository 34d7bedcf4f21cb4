//! The root has room for one block instead of one of each rank.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut all = vec![0; 1];
    world.gather(&[world.rank()], Some(&mut all), 0) // WB0044 (0)
}
