//! A message from any source is received.
//!
//! ranks: 3
use workbench::{ANY_SOURCE, Result, World};

pub fn program(world: &World) -> Result<()> {
    match world.rank() {
        0 => world.recv(&mut [0], ANY_SOURCE, 0).map(drop),
        2 => world.send(&[1], 0, 0),
        _ => Ok(()),
    }
}
