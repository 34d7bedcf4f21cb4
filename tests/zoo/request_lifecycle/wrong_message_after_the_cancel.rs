//! Rank 1 cancels its receive, and rank 0 sends the message afterwards.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.recv(&mut [0_u8], 1, 1)?;
        return world.send(&[7_i64], 1, 0); // WB0010 (0)
    }
    let receive = world.irecv::<i64>(1, 0, 0)?;
    assert!(receive.cancel()?.is_none());
    world.send(&[0_u8], 0, 1)
}
