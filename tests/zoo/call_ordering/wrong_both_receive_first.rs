//! Both receive before they send.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    let mut theirs = [0_usize];
    world.recv(&mut theirs, partner, 0)?; // WB0001 (0, 1)
    world.send(&[world.rank()], partner, 0)
}
