//! The wildcard may take the message that the second receive waits for.
//!
//! ranks: 3
//! seen by: checker
use workbench::{ANY_SOURCE, Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() > 0 {
        return world.send(&[world.rank()], 0, 0);
    }
    let mut number = [0_usize];
    world.recv(&mut number, ANY_SOURCE, 0)?; // WB0021 (0)
    world.recv(&mut number, 1, 0)?;
    Ok(())
}
