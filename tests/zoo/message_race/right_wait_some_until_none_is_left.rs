//! Rank 0 adds what wait_some returns until no request is left.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<usize> {
    if world.rank() > 0 {
        world.send(&[world.rank()], 0, 0)?;
        return Ok(0);
    }
    let receive = |rank| world.irecv::<usize>(1, rank, 0).map(Some);
    let mut requests = [receive(1)?, receive(2)?];
    let mut sum = 0;
    while requests.iter().any(Option::is_some) {
        for (_, (data, _)) in world.wait_some(&mut requests)? {
            sum += data[0];
        }
    }
    Ok(sum)
}
