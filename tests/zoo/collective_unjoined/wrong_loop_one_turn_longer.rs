//! The root counts one turn more than the others: no rank joins its last two broadcasts.
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
