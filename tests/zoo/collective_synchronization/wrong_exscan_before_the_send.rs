//! An exclusive scan whose first rank continues before the other rank has called it: the other one waits for what is sent after it.
//!
//! ranks: 2
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.exscan(&[1], &mut [0], Operation::Sum)?; // WB0004 (0)
        return world.send(&[1], 1, 5);
    }
    world.recv(&mut [0], 0, 5)?; // WB0004 (1)
    world.exscan(&[1], &mut [0], Operation::Sum)
}
