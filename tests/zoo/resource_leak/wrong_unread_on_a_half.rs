//! Unread on a communicator of half of the ranks.
//!
//! ranks: 4
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let color = world.rank() as u32 / 2;
    let half = world.split(Some(color), 0)?.expect("every rank has a colour");
    if half.rank() == 0 {
        half.send(&[7], 1, 13)?; // WB0010 (0, 2)
    }
    Ok(())
}
