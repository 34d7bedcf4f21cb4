//! Rank 0 hands out all orders while the workers hand in their results.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut number = [0];
    if world.rank() > 0 {
        world.send(&[1], 0, 1)?; // WB0020 (1)
        world.recv(&mut number, 0, 2)?;
        return Ok(());
    }
    for worker in 1..world.size() {
        world.send(&[1], worker, 2)?; // WB0020 (0)
    }
    for worker in 1..world.size() {
        world.recv(&mut number, worker, 1)?;
    }
    Ok(())
}
