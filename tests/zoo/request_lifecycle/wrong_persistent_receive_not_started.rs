//! The receive is made and waited for, and never started.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return Ok(());
    }
    let mut receive = world.recv_init::<i32>(1, 0, 0)?; // WB0013 (1)
    receive.wait()?; // WB0013 (1)
    Ok(())
}
