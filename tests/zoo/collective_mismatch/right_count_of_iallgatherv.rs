//! Blocks of different lengths, which every rank knows.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let counts: Vec<usize> = (0..world.size()).map(|rank| rank + 1).collect();
    let block = vec![world.rank(); world.rank() + 1];
    let all = world.iallgatherv(block, &counts)?.wait()?;
    assert_eq!(all, [0, 1, 1, 2, 2, 2]);
    Ok(())
}
