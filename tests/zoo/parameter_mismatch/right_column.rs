//! The last column of a matrix.
//!
//! ranks: 2
use workbench::{Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let matrix = vec![0.5; 6];
    let (mut other, peer) = (matrix.clone(), 1 - world.rank());
    let column = Layout::vector(2, 1, 3).at(2);
    let sent = world.isend_layout(matrix, &column, peer, 0)?;
    world.recv_layout(&mut other, &column, peer, 0)?;
    sent.wait().map(drop)
}
