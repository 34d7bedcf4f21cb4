//! The same with a message that its sender cannot let go of before it is received.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let long = vec![7_u8; 1 << 20];
    if world.rank() == 0 {
        return world.send(&long, 1, 77);
    }
    drop(world.irecv::<u8>(long.len(), 0, 77)?); // WB0011 (1)
    Ok(())
}
