//! The sender's column has one row more than the receiver's.
//!
//! ranks: 2
use workbench::{Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let column = |rows: usize| Layout::vector(rows, 1, 100);
    let mut matrix = vec![0.5; 10_100];
    if world.rank() == 0 {
        return world.send_layout(&matrix, &column(101), 1, 0); // WB0040 (0)
    }
    world.recv_layout(&mut matrix, &column(100), 0, 0)?; // WB0040 (1)
    Ok(())
}
