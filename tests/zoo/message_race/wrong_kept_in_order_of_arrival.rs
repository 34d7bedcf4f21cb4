//! Rank 0 keeps the numbers in the order in which they come: each run is right, and no two need agree.
//!
//! ranks: 3
//! seen by: checker
use workbench::{ANY_SOURCE, Result, World};

pub fn program(world: &World) -> Result<Vec<usize>> {
    let mut all = vec![];
    if world.rank() > 0 {
        world.send(&[world.rank()], 0, 0)?;
        return Ok(all);
    }
    let mut number = [0];
    for _ in 1..world.size() {
        world.recv(&mut number, ANY_SOURCE, 0)?; // WB0023 (0)
        all.push(number[0]);
    }
    Ok(all)
}
