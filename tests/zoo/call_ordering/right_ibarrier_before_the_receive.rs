//! Rank 1 starts the barrier before it receives: rank 0 need not wait for the receive.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let all = world.ibarrier()?;
    if world.rank() == 0 {
        all.wait()?;
        return world.send(&[1], 1, 0);
    }
    world.recv(&mut [0], 0, 0)?;
    all.wait()
}
