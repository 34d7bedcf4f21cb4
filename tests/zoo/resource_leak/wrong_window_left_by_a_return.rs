//! A condition that all ranks meet leads past the free.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?; // WB0012 (0, 1)
    if window.read_all()? == [0] {
        return Ok(());
    }
    window.free()
}
