//! The blocks are not of one length.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let block = vec![1; world.rank() + 1];
    let all = world.iallgather(block)?; // WB0032 (0, 1)
    all.wait()?;
    Ok(())
}
