//! Every rank starts the broadcast.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let data = world.ibcast(vec![world.rank()], 0)?.wait()?;
    assert_eq!(data, [0]);
    Ok(())
}
