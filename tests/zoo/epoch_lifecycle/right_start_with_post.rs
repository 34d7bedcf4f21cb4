//! Every start has its post.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    if world.rank() == 0 {
        window.start(&[1])?.complete()?;
    } else {
        window.post(&[0])?.wait()?;
    }
    window.free()
}
