//! What a get brings is looked at after the fence.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let epoch = window.fence()?;
    let ticket = epoch.get(1, 1 - world.rank(), 0)?;
    epoch.end()?;
    ticket.take()?;
    window.free()
}
