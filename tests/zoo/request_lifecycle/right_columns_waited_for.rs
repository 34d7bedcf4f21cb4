//! A started exchange of columns, both of which are waited for.
//!
//! ranks: 2
use workbench::{Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let (column, peer) = (Layout::vector(2, 1, 3), 1 - world.rank());
    let receive = world.irecv_layout(vec![0; 6], &column, peer, 0)?;
    let send = world.isend_layout(vec![world.rank(); 6], &column.at(2), peer, 0)?;
    let (matrix, _) = receive.wait()?;
    assert_eq!(matrix, [peer, 0, 0, peer, 0, 0]);
    send.wait().map(drop)
}
