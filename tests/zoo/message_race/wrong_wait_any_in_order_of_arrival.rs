//! Rank 0 keeps the numbers in the order in which wait_any returns them.
//!
//! ranks: 3
//! seen by: checker
use workbench::{Result, World};

pub fn program(world: &World) -> Result<Vec<usize>> {
    let mut numbers = vec![];
    if world.rank() > 0 {
        world.send(&[world.rank()], 0, 0)?;
        return Ok(numbers);
    }
    let receive = |rank| world.irecv::<usize>(1, rank, 0).map(Some);
    let mut requests = [receive(1)?, receive(2)?];
    while let Some((_, (data, _))) = world.wait_any(&mut requests)? { // WB0023 (0)
        numbers.push(data[0]);
    }
    Ok(numbers)
}
