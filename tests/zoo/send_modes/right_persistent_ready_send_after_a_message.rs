//! The receiver posts its receive, and says so before each start of the persistent ready send.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        let mut send = world.rsend_init(vec![1], 1, 0)?;
        for _ in 0..2 {
            world.recv(&mut [0_u8; 0], 1, 1)?;
            send.start()?;
            send.wait()?;
        }
        return Ok(());
    }
    for _ in 0..2 {
        let request = world.irecv::<i32>(1, 0, 0)?;
        world.send(&[0_u8; 0], 0, 1)?;
        request.wait()?;
    }
    Ok(())
}
