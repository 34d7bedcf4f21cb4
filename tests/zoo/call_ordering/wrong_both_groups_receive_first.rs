//! Both groups receive before they send.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let own = world.split(Some((world.rank() % 2) as u32), 0)?.expect("a color");
    let other = own.intercomm_create(0, world, 1 - world.rank(), 0)?;
    other.recv(&mut [0], 0, 0)?; // WB0001 (0, 1)
    other.send(&[1], 0, 0)
}
