//! One exposure epoch after the other.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let partner = [1 - world.rank()];
    for _ in 0..2 {
        let exposure = window.post(&partner)?;
        window.start(&partner)?.complete()?;
        exposure.wait()?;
    }
    window.free()
}
