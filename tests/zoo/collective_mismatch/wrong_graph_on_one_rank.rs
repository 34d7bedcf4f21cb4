//! The ranks pass different graphs.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let of_middle = if world.rank() == 2 { vec![0] } else { vec![0, 2] };
    let of_last = if world.rank() == 2 { vec![] } else { vec![1] };
    world.graph_create(&[vec![1], of_middle, of_last], false)?; // WB0035 (2)
    Ok(())
}
