//! The persistent ready send may start before the receive is posted.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        let mut send = world.rsend_init(vec![1], 1, 0)?; // WB0049 (0)
        send.start()?; // WB0049 (0)
        send.wait()?;
        return Ok(());
    }
    world.recv(&mut [0], 0, 0)?;
    Ok(())
}
