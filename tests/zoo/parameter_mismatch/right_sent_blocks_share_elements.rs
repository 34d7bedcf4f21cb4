//! Blocks that are sent may share elements: each rank gets its part of a vector and one element of either neighbour.
//!
//! ranks: 3
use workbench::{RankBlocks, Result, World};

pub fn program(world: &World) -> Result<()> {
    let (counts, starts) = ([2, 3, 2], [0, 0, 1]);
    let mine = &mut [0; 3][..counts[world.rank()]];
    let send = (world.rank() == 0).then_some((&[10, 11, 12][..], RankBlocks::new(&counts, &starts)));
    world.scatterv_at(send, mine, 0)?;
    assert_eq!(mine[0], if world.rank() == 2 { 11 } else { 10 });
    Ok(())
}
