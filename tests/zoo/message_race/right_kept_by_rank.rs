//! Rank 0 puts each number where its sender belongs.
//!
//! ranks: 3
use workbench::{ANY_SOURCE, Result, World};

pub fn program(world: &World) -> Result<Vec<usize>> {
    let mut all = vec![0; world.size()];
    if world.rank() > 0 {
        world.send(&[world.rank()], 0, 0)?;
        return Ok(all);
    }
    let mut number = [0];
    for _ in 1..world.size() {
        let status = world.recv(&mut number, ANY_SOURCE, 0)?;
        all[status.source] = number[0];
    }
    Ok(all)
}
