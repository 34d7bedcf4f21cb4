//! All start before they post: start may wait for the post.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let partner = [1 - world.rank()];
    let access = window.start(&partner)?; // WB0001 (0, 1)
    let exposure = window.post(&partner)?;
    access.complete()?;
    exposure.wait()?;
    window.free()
}
