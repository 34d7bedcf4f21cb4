//! A message may be shorter than its room; the status says how long it is.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&[1, 2], 1, 0);
    }
    let mut room = [0; 4];
    let status = world.recv(&mut room, 0, 0)?;
    assert_eq!(status.bytes, 8);
    Ok(())
}
