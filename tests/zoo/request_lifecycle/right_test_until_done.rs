//! Test until it is done, and then wait, which does not wait.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&[1], 1, 0);
    }
    let mut request = world.irecv::<i32>(1, 0, 0)?;
    while !request.test()? {}
    request.wait()?;
    Ok(())
}
