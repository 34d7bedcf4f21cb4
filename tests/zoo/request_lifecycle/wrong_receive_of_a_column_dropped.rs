//! The request of a receive into a column is dropped.
//!
//! ranks: 2
use workbench::{Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let (matrix, column) = (vec![0_u64; 6], Layout::vector(2, 1, 3));
    if world.rank() == 1 {
        drop(world.irecv_layout(matrix, &column, 0, 77)?); // WB0011 (1)
    }
    Ok(())
}
