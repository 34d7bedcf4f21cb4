//! Sent and awaited on one communicator, with its ranks.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let reversed = world.split(Some(0), -(world.rank() as i32))?.expect("every rank joins");
    if reversed.rank() == 0 {
        return reversed.send(&[1], 1, 0);
    }
    reversed.recv(&mut [0], 0, 0)?;
    Ok(())
}
