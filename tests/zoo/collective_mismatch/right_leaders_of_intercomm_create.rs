//! All ranks of a group name the same leader of their own.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let is_last = world.rank() == 2;
    let own = world.split(Some(u32::from(is_last)), 0)?.expect("a color");
    let remote_leader = if is_last { 0 } else { 2 };
    own.intercomm_create(0, world, remote_leader, 0)?;
    Ok(())
}
