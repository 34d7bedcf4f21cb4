//! A started receive without a send.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        let request = world.irecv::<i32>(1, 1, 0)?; // WB0002 (0)
        request.wait()?; // WB0002 (0)
    }
    Ok(())
}
