//! The root's loop of sends ends one rank too early, and then all ranks meet in a gather.
//!
//! ranks: 4
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let mut part = [1];
    if rank == 0 {
        for to in 1..size - 1 {
            world.send(&[2], to, 3)?; // WB0003 (0)
        }
    } else {
        world.recv(&mut part, 0, 3)?; // WB0003 (3)
    }
    let mut all = vec![0; size];
    world.gather(&part, (rank == 0).then_some(&mut all[..]), 0)
}
