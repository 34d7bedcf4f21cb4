//! The part that is received contains the border that is sent.
//!
//! ranks: 2
use workbench::{Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let (mut data, peer) = (vec![0.5; 12], 1 - world.rank());
    let (border, halo) = (Layout::vector(3, 1, 4).at(2), Layout::vector(3, 2, 4).at(2));
    world.sendrecv_layout(&mut data, &border, peer, 0, &halo, peer, 0)?; // WB0051 (0, 1)
    Ok(())
}
