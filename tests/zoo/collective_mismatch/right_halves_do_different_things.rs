//! Different communicators need not agree.
//!
//! ranks: 4
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let color = world.rank() as u32 % 2;
    let half = world.split(Some(color), 0)?.expect("every rank has a colour");
    if color == 0 { half.barrier() } else { half.bcast(&mut [1], 0) }
}
