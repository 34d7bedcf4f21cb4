//! Receives and sends are started, and then all are waited for.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    let receive = world.irecv::<i32>(1, partner, 0)?;
    let send = world.isend(vec![1], partner, 0)?;
    let ((data, _), _) = world.wait_all((receive, send))?;
    assert_eq!(data, [1]);
    Ok(())
}
