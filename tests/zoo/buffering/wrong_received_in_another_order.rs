//! Rank 1 receives the second message first: the first must lie somewhere meanwhile.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.send(&[1], 1, 1)?; // WB0020 (0)
        return world.send(&[2], 1, 2);
    }
    let mut number = [0];
    world.recv(&mut number, 0, 2)?; // WB0020 (1)
    world.recv(&mut number, 0, 1)?;
    Ok(())
}
