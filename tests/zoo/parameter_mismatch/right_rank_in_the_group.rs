//! The rank in the world is translated to the rank in the group's communicator.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let all = world.group()?;
    let last = all.incl(&[1, 2])?;
    let Some(part) = world.comm_create(&last)? else { return Ok(()) };
    let mut data = [world.rank()];
    match all.translate_ranks(&[2], &last)?[..] {
        [Some(root)] => part.bcast(&mut data, root),
        _ => Ok(()),
    }
}
