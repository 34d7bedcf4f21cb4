//! One rank leaves without the barrier that the others wait for.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 2 {
        return Ok(());
    }
    let all = world.ibarrier()?; // WB0004 (0, 1)
    all.wait() // WB0004 (0, 1)
}
