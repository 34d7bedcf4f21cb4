//! Blocks that are longer than their distance: a receive would fill elements twice.
//!
//! ranks: 2
use workbench::{Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&[1, 2, 3, 4], 1, 0);
    }
    let (mut data, blocks) = (vec![0; 8], Layout::vector(2, 2, 1));
    world.recv_layout(&mut data, &blocks, 0, 0)?; // WB0051 (1)
    Ok(())
}
