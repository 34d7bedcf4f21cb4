//! The request of a long send is dropped, and its rank ends.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut long = vec![7_u8; 1 << 20];
    if world.rank() == 0 {
        drop(world.isend(long, 1, 77)?); // WB0011 (0)
        return Ok(());
    }
    world.recv(&mut long, 0, 77)?;
    Ok(())
}
