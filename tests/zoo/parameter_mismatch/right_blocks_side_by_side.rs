//! Blocks that are as long as their distance.
//!
//! ranks: 2
use workbench::{Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&[1, 2, 3, 4], 1, 0);
    }
    let (mut data, blocks) = (vec![0; 8], Layout::vector(2, 2, 2));
    world.recv_layout(&mut data, &blocks, 0, 0)?;
    assert_eq!(data, [1, 2, 3, 4, 0, 0, 0, 0]);
    Ok(())
}
