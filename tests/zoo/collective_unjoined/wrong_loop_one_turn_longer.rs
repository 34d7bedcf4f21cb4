//! The root counts one turn more than the others: its last two broadcasts reach nobody.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let turns = if world.rank() == 0 { 3 } else { 2 };
    for turn in 0..turns {
        world.bcast(&mut [turn], 0)?; // WB0004 (0)
        world.bcast(&mut [turn; 2], 0)?;
    }
    Ok(())
}
