//! Two of four wait for each other; the other two are done.
//!
//! ranks: 4
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut theirs = [0];
    match world.rank() {
        1 => world.recv(&mut theirs, 3, 5).map(drop), // WB0001 (1)
        3 => world.recv(&mut theirs, 1, 5).map(drop), // WB0001 (3)
        _ => Ok(()),
    }
}
