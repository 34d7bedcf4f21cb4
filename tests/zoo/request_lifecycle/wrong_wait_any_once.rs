//! One of two receives is waited for.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() > 0 {
        return world.send(&[world.rank()], 0, 0);
    }
    let receive = |rank| world.irecv::<usize>(1, rank, 0).map(Some); // WB0011 (0)
    let mut requests = [receive(1)?, receive(2)?];
    world.wait_any(&mut requests)?;
    Ok(())
}
