//! Rank 0 passes a negative color.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let world_rank = world.rank() as i32;
    world.split(Some((world_rank - 1) as u32), 0)?; // WB0099 (0)
    Ok(())
}
