//! The root deals out 1 and 3, and rank 1 has room for 2.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let (all, counts) = ([1, 2, 3, 4], [1, 3]);
    let mut mine = vec![0; 1 + world.rank()];
    world.scatterv(Some((&all, &counts)), &mut mine, 0) // WB0032 (0, 1)
}
