//! Rank 0 names rank 1, which does not name it.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    world.graph_create(&[vec![1], vec![]], false)?; // WB0099 (0, 1)
    Ok(())
}
