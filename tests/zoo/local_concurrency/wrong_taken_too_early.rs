//! What a get brings is looked at before the epoch is over.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let epoch = window.fence()?;
    let ticket = epoch.get(1, 1 - world.rank(), 0)?;
    ticket.take()?; // WB0108 (0, 1)
    epoch.end()?;
    window.free()
}
