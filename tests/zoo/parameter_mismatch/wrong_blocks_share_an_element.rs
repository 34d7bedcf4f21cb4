//! Each block starts at the last element of the one before it.
//!
//! ranks: 3
use workbench::{RankBlocks, Result, World};

pub fn program(world: &World) -> Result<()> {
    let (counts, starts) = ([2, 2, 2], [0, 1, 2]);
    let mine = [world.rank(); 2];
    let mut all = [0; 4];
    let recv = (world.rank() == 0).then_some((&mut all[..], RankBlocks::new(&counts, &starts)));
    world.gatherv_at(&mine, recv, 0) // WB0051 (0)
}
