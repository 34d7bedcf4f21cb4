//! Both receive before they wait for their synchronous sends.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    let send = world.issend(vec![world.rank()], partner, 0)?;
    world.recv(&mut [0_usize], partner, 0)?;
    send.wait()?;
    Ok(())
}
