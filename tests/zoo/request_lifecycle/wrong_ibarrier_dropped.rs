//! The barrier is started, and its rank does not wait for it.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.send(&[1], 1, 0)?;
        drop(world.ibarrier()?); // WB0011 (0)
        return Ok(());
    }
    world.recv(&mut [0], 0, 0)?;
    world.ibarrier()?.wait()
}
