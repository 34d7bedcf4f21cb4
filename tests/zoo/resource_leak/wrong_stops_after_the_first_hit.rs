//! Rank 0 stops at the first answer, and the others have sent theirs.
//!
//! ranks: 3
use workbench::{ANY_SOURCE, Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() > 0 {
        return world.send(&[world.rank()], 0, 0); // WB0010
    }
    let mut found = [0_usize];
    world.recv(&mut found, ANY_SOURCE, 0)?;
    Ok(())
}
