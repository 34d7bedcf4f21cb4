//! Only rank 0 calls the scan, and needs no other rank for its own part of it.
//!
//! ranks: 3
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.scan(&[1], &mut [0], Operation::Sum)?; // WB0004 (0)
    }
    Ok(())
}
