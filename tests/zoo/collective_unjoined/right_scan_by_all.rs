//! All ranks call the scans.
//!
//! ranks: 3
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    world.scan(&[1], &mut [0], Operation::Sum)?;
    world.exscan(&[1], &mut [0], Operation::Sum)
}
