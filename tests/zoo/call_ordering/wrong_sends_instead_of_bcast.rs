//! Rank 0 sends to each, and the others wait in a broadcast.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut data = [world.rank()];
    if world.rank() == 0 {
        return (1..world.size()).try_for_each(|rank| world.send(&data, rank, 0));
    }
    world.bcast(&mut data, 0) // WB0004 (1, 2)
}
