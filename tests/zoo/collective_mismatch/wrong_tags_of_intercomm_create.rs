//! Each group has a tag of its own, so the leaders do not meet.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let own = world.split(Some((world.rank() % 2) as u32), 0)?.expect("a color");
    own.intercomm_create(0, world, 1 - world.rank(), world.rank() as i32)?; // WB0001 (0, 1)
    Ok(())
}
