//! All ranks make them in one order. Each has a communicator of its own, so the starts may differ.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut all = world.barrier_init()?;
    let mut copy = world.bcast_init(vec![world.rank()], 0)?;
    if world.rank() == 0 {
        all.start()?;
        copy.start()?;
    } else {
        copy.start()?;
        all.start()?;
    }
    world.wait_all((&mut all, &mut copy))?;
    assert_eq!(copy.result_mut()?, [0]);
    Ok(())
}
