//! The first rank scans, and the second receives a message from it.
//!
//! ranks: 2
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut data = [0];
    if world.rank() == 0 {
        return world.scan(&[1], &mut data, Operation::Sum); // WB0004 (0)
    }
    world.recv(&mut data, 0, 0)?; // WB0004 (1)
    Ok(())
}
