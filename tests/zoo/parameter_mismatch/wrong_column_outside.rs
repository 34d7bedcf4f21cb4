//! The columns of a matrix are counted from 1: the last one is outside.
//!
//! ranks: 2
use workbench::{Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let matrix = vec![0.5; 6];
    let column = Layout::vector(2, 1, 3).at(3);
    world.send_layout(&matrix, &column, 1 - world.rank(), 0) // WB0051 (0, 1)
}
