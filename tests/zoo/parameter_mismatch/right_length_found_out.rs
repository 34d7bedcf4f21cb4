//! Who does not know the length asks for it.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&[1, 2, 3, 4], 1, 0);
    }
    let (all, _) = world.recv_vec::<i32>(0, 0)?;
    assert_eq!(all, [1, 2, 3, 4]);
    Ok(())
}
