//! Bits of floating-point numbers cannot be combined.
//!
//! ranks: 2
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut all = [0.0];
    world.allreduce(&[1.5], &mut all, Operation::BitAnd) // WB0045 (0, 1)
}
