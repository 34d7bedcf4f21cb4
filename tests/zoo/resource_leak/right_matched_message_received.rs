//! The message that the matched probe has taken is received.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&[1], 1, 0);
    }
    let message = world.mprobe(0, 0)?;
    assert_eq!(message.recv_vec::<i32>()?, [1]);
    Ok(())
}
