//! The attached buffer has no room for the message of the persistent request.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.buffer_attach(8 + World::BSEND_OVERHEAD)?;
        let mut send = world.bsend_init(vec![1_i64; 3], 1, 0)?; // WB0048 (0)
        send.start()?; // WB0048 (0)
        send.wait()?;
        world.buffer_detach()?;
        return Ok(());
    }
    world.recv(&mut [0_i64; 3], 0, 0)?;
    Ok(())
}
