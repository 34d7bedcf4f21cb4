//! The requests are waited for until none is left, and each number is kept where it belongs.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<[usize; 2]> {
    if world.rank() > 0 {
        world.send(&[world.rank()], 0, 0)?;
        return Ok([0, 0]);
    }
    let receive = |rank| world.irecv::<usize>(1, rank, 0).map(Some);
    let mut requests = [receive(1)?, receive(2)?];
    let mut numbers = [0, 0];
    while let Some((index, (data, _))) = world.wait_any(&mut requests)? {
        numbers[index] = data[0];
    }
    Ok(numbers)
}
