//! The columns of a matrix are distributed, and the layout says nothing of where the next one starts: it would start after the last element.
//!
//! ranks: 2
use workbench::{Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let matrix = [1, 2, 3, 4, 5, 6];
    let column = Layout::vector(3, 1, 2);
    let send = (world.rank() == 0).then_some((&matrix[..], &column));
    world.scatter_layout(send, &mut [0; 3], 0) // WB0051 (0)
}
