//! Rank 0 waits for the barrier before it sends; rank 1 receives before it starts the barrier.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        let all = world.ibarrier()?; // WB0004 (0)
        all.wait()?; // WB0004 (0)
        return world.send(&[1], 1, 0);
    }
    world.recv(&mut [0], 0, 0)?; // WB0004 (1)
    world.ibarrier()?.wait()
}
