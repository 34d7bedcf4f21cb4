//! Both ranks exchange long columns in one call.
//!
//! ranks: 2
use workbench::{Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let (mut matrix, column) = (vec![0.5; 1 << 20], Layout::vector(1 << 18, 2, 4));
    let peer = 1 - world.rank();
    world.sendrecv_layout(&mut matrix, &column, peer, 0, &column.at(2), peer, 0)?;
    Ok(())
}
