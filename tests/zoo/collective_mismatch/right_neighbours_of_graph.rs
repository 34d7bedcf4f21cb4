//! Each edge is named at both ends.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let (sources, destinations) = if world.rank() == 0 { (vec![], vec![1]) } else { (vec![0], vec![]) };
    world.dist_graph_create_adjacent(&sources, &destinations, false)?;
    Ok(())
}
