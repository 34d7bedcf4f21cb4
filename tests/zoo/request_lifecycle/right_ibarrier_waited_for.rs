//! The barrier is started, and every rank waits for it after something else.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let all = world.ibarrier()?;
    if world.rank() == 0 {
        world.send(&[1], 1, 0)?;
    } else {
        world.recv(&mut [0], 0, 0)?;
    }
    all.wait()
}
