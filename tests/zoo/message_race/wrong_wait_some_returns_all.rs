//! Rank 0 expects that wait_some returns both numbers at once.
//!
//! ranks: 3
//! seen by: checker
use workbench::{Result, World};

pub fn program(world: &World) -> Result<usize> {
    if world.rank() > 0 {
        world.send(&[world.rank()], 0, 0)?;
        return Ok(0);
    }
    let receive = |rank| world.irecv::<usize>(1, rank, 0).map(Some);
    let mut requests = [receive(1)?, receive(2)?];
    let mut sum = 0;
    for (_, (data, _)) in world.wait_some(&mut requests)? { // WB0023 (0)
        sum += data[0];
    }
    world.wait_some(&mut requests)?;
    Ok(sum)
}
