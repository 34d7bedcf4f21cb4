//! Rank 0 counts itself among the senders.
//!
//! ranks: 3
use workbench::{ANY_SOURCE, Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() > 0 {
        return world.send(&[1], 0, 0);
    }
    let mut one = [0];
    for _ in 0..world.size() {
        world.recv(&mut one, ANY_SOURCE, 0)?; // WB0002 (0)
    }
    Ok(())
}
