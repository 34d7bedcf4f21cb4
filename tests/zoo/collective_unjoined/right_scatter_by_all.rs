//! Every rank takes its block.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let all = [1, 2, 3];
    world.scatter((world.rank() == 0).then_some(&all[..]), &mut [0], 0)
}
