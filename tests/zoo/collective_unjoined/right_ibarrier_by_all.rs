//! Every rank starts the barrier and waits for it.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let all = world.ibarrier()?;
    all.wait()
}
