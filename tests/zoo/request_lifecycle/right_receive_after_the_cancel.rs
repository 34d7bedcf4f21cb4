//! Rank 1 cancels its receive, and receives the message of rank 0 in another one.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.recv(&mut [0_u8], 1, 1)?;
        return world.send(&[7_i64], 1, 0);
    }
    let receive = world.irecv::<i64>(1, 0, 0)?;
    assert!(receive.cancel()?.is_none());
    world.send(&[0_u8], 0, 1)?;
    world.recv(&mut [0_i64], 0, 0)?;
    Ok(())
}
