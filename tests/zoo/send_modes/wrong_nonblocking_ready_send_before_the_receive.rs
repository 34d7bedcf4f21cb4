//! The nonblocking ready send may come before the receive is posted.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        let request = world.irsend(vec![1], 1, 0)?; // WB0049 (0)
        request.wait()?;
        return Ok(());
    }
    world.recv(&mut [0], 0, 0)?;
    Ok(())
}
