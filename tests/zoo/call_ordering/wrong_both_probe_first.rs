//! Both look for a message before either has sent one.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    world.probe(partner, 0)?; // WB0001 (0, 1)
    world.send(&[world.rank()], partner, 0)
}
