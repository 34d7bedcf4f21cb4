//! Rank 0 sends integers, the others wait for floating-point numbers.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.bcast(&mut [7_i64], 0); // WB0033 (0)
    }
    world.bcast(&mut [0.0_f64], 0) // WB0033 (1)
}
