//! The root gives no room for what it gathers.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    world.gather(&[world.rank()], None, 0) // WB0046 (0)
}
