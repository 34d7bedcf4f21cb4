//! Every rank calls the barrier.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.send(&[1], 1, 0)?;
    }
    if world.rank() == 1 {
        world.recv(&mut [0], 0, 0)?;
    }
    world.barrier()
}
