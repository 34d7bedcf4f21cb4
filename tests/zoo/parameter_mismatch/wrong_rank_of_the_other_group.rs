//! The rank in the world is not the rank in the other group.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let is_last = world.rank() == 2;
    let own = world.split(Some(u32::from(is_last)), 0)?.expect("a color");
    let other = own.intercomm_create(0, world, if is_last { 0 } else { 2 }, 0)?;
    if is_last {
        return other.recv(&mut [0], 0, 0).map(drop);
    }
    if own.rank() == 0 { other.send(&[1], 2, 0) } else { Ok(()) } // WB0042 (0)
}
