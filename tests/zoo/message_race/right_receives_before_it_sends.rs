//! Whichever rank is first, rank 0 receives before it sends: the buffering of the library does not matter.
//!
//! ranks: 3
use workbench::{ANY_SOURCE, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut number = [0];
    if world.rank() == 2 {
        world.recv(&mut number, 1, 0)?;
        return world.send(&[2], 0, 0);
    }
    if world.rank() == 1 {
        world.send(&[1], 0, 0)?;
        world.send(&[1], 2, 0)?;
        world.send(&[1], 0, 1)?;
        world.recv(&mut number, 0, 1)?;
        return Ok(());
    }
    let first = world.recv(&mut number, ANY_SOURCE, 0)?.source;
    world.recv(&mut number, 3 - first, 0)?;
    world.recv(&mut number, 1, 1)?;
    world.send(&[0], 1, 1)
}
