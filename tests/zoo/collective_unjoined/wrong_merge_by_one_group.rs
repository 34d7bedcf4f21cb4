//! One group merges, the other one does not.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let own = world.split(Some((world.rank() % 2) as u32), 0)?.expect("a color");
    let other = own.intercomm_create(0, world, 1 - world.rank(), 0)?;
    if world.rank() == 0 {
        other.merge(false)?; // WB0004 (0)
    }
    Ok(())
}
