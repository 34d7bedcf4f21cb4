//! A message that no rank receives.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.send(&[1, 2, 3], 1, 11)?; // WB0010 (0)
    }
    Ok(())
}
