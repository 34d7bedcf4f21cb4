//! Both groups send and receive in one call.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let own = world.split(Some((world.rank() % 2) as u32), 0)?.expect("a color");
    let other = own.intercomm_create(0, world, 1 - world.rank(), 0)?;
    other.sendrecv(&[1], 0, 0, &mut [0], 0, 0).map(drop)
}
