//! A column is received into a row of as many elements.
//!
//! ranks: 2
use workbench::{Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut matrix = vec![0.5; 10_100];
    if world.rank() == 0 {
        return world.send_layout(&matrix, &Layout::vector(101, 1, 100), 1, 0);
    }
    world.recv_layout(&mut matrix, &Layout::contiguous(101), 0, 0)?;
    Ok(())
}
