//! The root has room for a block of each rank.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut all = vec![0; world.size()];
    world.gather(&[world.rank()], Some(&mut all), 0)
}
