//! The halo is the column beside the border.
//!
//! ranks: 2
use workbench::{Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let (mut data, peer) = (vec![0.5; 12], 1 - world.rank());
    let column = Layout::vector(3, 1, 4);
    world.sendrecv_layout(&mut data, &column.at(2), peer, 0, &column.at(3), peer, 0)?;
    Ok(())
}
