//! Rank 0 sends to rank 1, which does not name it as a source.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let destinations = if world.rank() == 0 { vec![1] } else { vec![] };
    world.dist_graph_create_adjacent(&[], &destinations, false)?; // WB0035 (0, 1)
    Ok(())
}
