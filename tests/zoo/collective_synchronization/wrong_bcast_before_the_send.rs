//! A broadcast whose root continues before the other rank has called it: the other one waits for what is sent after it.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.bcast(&mut [7], 0)?; // WB0004 (0)
        return world.send(&[1], 1, 5);
    }
    world.recv(&mut [0], 0, 5)?; // WB0004 (1)
    world.bcast(&mut [7], 0)
}
