//! Each turn of the loop forgets the request of the turn before.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return (0..3).try_for_each(|tag| world.send(&[tag], 1, tag));
    }
    let mut last = None;
    for tag in 0..3 {
        last = Some(world.irecv::<i32>(1, 0, tag)?); // WB0011 (1)
    }
    last.map_or(Ok(()), |request| request.wait().map(drop))
}
