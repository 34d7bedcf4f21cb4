//! All ranks reduce as often as the root.
//!
//! ranks: 3
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let (mine, mut sum) = ([1], [0]);
    for _ in 0..2 {
        world.reduce(&mine, Some(&mut sum), Operation::Sum, 0)?;
    }
    Ok(())
}
