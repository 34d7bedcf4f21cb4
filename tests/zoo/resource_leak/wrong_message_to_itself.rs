//! Rank 0 sends to all, itself among them.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return (0..world.size()).try_for_each(|rank| world.send(&[1], rank, 0)); // WB0010 (0)
    }
    world.recv(&mut [0], 0, 0)?;
    Ok(())
}
