//! The displacements are in bytes: the second block is outside of the buffer.
//!
//! ranks: 2
use workbench::{RankBlocks, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut all = [0.0; 5];
    let blocks = RankBlocks::new(&[2, 3], &[0, 16]);
    let mine = vec![0.5; 2 + world.rank()];
    world.allgatherv_at(&mine, &mut all, blocks) // WB0051 (0, 1)
}
