//! A column is received as a column of the same type.
//!
//! ranks: 2
use workbench::{Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let column = Layout::vector(2, 1, 3);
    if world.rank() == 0 {
        return world.send_layout(&[0.5_f64; 6], &column, 1, 0);
    }
    world.recv_layout(&mut [0_f64; 6], &column.at(2), 0, 0)?;
    Ok(())
}
