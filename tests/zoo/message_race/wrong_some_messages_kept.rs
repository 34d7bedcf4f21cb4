//! Right with all buffers and without any: it hangs if the library keeps the first message of rank 1 and not the later ones.
//!
//! ranks: 3
//! seen by: checker
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
    // Rank 2 can be first only if rank 1 had not to wait for this.
    let first = world.recv(&mut number, ANY_SOURCE, 0)?.source; // WB0021 (0)
    world.recv(&mut number, 3 - first, 0)?;
    if first == 1 {
        world.recv(&mut number, 1, 1)?;
        return world.send(&[0], 1, 1);
    }
    world.send(&[0], 1, 1)?;
    world.recv(&mut number, 1, 1)?;
    Ok(())
}
