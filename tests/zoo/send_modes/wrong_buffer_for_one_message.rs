//! The buffer has room for one message, and the second is sent before the first is received.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.buffer_attach(8 + World::BSEND_OVERHEAD)?;
        world.bsend(&[1_i64], 1, 0)?;
        world.bsend(&[2_i64], 1, 1)?; // WB0048 (0)
        world.send(&[0_u8], 1, 2)?;
        world.buffer_detach()?;
    } else {
        world.recv(&mut [0_u8], 0, 2)?;
        world.recv(&mut [0_i64], 0, 0)?;
        world.recv(&mut [0_i64], 0, 1)?;
    }
    Ok(())
}
