//! The root calls the gather like every rank.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut all = vec![0; world.size()];
    world.gather(&[world.rank()], (world.rank() == 0).then_some(&mut all[..]), 0)
}
