//! The displacements count elements; the element between the blocks does not change.
//!
//! ranks: 2
use workbench::{RankBlocks, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut all = [-1.0; 6];
    let blocks = RankBlocks::new(&[2, 3], &[0, 3]);
    let mine = vec![0.5; 2 + world.rank()];
    world.allgatherv_at(&mine, &mut all, blocks)?;
    assert_eq!(all, [0.5, 0.5, -1.0, 0.5, 0.5, 0.5]);
    Ok(())
}
