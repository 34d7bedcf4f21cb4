//! The receive is started, but waited for before anything is sent.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    let request = world.irecv::<usize>(1, partner, 0)?; // WB0001 (0, 1)
    request.wait()?; // WB0001 (0, 1)
    world.send(&[world.rank()], partner, 0)
}
