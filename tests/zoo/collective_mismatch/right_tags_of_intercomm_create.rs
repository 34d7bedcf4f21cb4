//! Both groups name the same tag, and the leader of the other one.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let own = world.split(Some((world.rank() % 2) as u32), 0)?.expect("a color");
    let other = own.intercomm_create(0, world, 1 - world.rank(), 7)?;
    if world.rank() == 0 { other.send(&[1], 0, 0) } else { other.recv(&mut [0], 0, 0).map(drop) }
}
