//! The attached buffer has room for the message of the persistent request, which starts again after the first message was received.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.buffer_attach(24 + World::BSEND_OVERHEAD)?;
        let mut send = world.bsend_init(vec![1_i64; 3], 1, 0)?;
        for _ in 0..2 {
            send.start()?;
            send.wait()?;
            world.recv(&mut [0_u8; 0], 1, 1)?;
        }
        world.buffer_detach()?;
        return Ok(());
    }
    for _ in 0..2 {
        world.recv(&mut [0_i64; 3], 0, 0)?;
        world.send(&[0_u8; 0], 0, 1)?;
    }
    Ok(())
}
