//! Both ranks send a long column and then receive.
//!
//! ranks: 2
use workbench::{Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let (mut matrix, column) = (vec![0.5; 1 << 20], Layout::vector(1 << 18, 2, 4));
    let peer = 1 - world.rank();
    world.send_layout(&matrix, &column, peer, 0)?; // WB0020 (0, 1)
    world.recv_layout(&mut matrix, &column.at(2), peer, 0)?;
    Ok(())
}
