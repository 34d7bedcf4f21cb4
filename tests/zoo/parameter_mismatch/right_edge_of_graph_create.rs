//! Each edge is named at both ends.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    world.graph_create(&[vec![1], vec![0]], false)?;
    Ok(())
}
