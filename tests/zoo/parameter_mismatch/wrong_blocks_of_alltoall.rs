//! Three elements cannot be dealt out to two ranks in equal blocks.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let (mine, mut theirs) = ([1, 2, 3], [0; 3]);
    world.alltoall(&mine, &mut theirs) // WB0044 (0, 1)
}
