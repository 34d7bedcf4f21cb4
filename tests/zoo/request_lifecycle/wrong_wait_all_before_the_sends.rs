//! Both wait for all receives before they send.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    let receives = [0, 1].map(|tag| world.irecv::<i32>(1, partner, tag)); // WB0001 (0, 1)
    let [first, second] = receives;
    world.wait_all((first?, second?))?; // WB0001 (0, 1)
    world.send(&[1], partner, 0)?;
    world.send(&[2], partner, 1)
}
