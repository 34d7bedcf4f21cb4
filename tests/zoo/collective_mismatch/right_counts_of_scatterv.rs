//! The root deals out what the others have room for.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let (all, counts) = ([1, 2, 3], [1, 2]);
    let mut mine = vec![0; 1 + world.rank()];
    world.scatterv(Some((&all, &counts)), &mut mine, 0)
}
