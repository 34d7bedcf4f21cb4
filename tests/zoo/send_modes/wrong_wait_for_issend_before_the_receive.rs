//! Both wait for their synchronous sends before they receive.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    let send = world.issend(vec![world.rank()], partner, 0)?; // WB0001 (0, 1)
    send.wait()?; // WB0001 (0, 1)
    world.recv(&mut [0_usize], partner, 0)?;
    Ok(())
}
