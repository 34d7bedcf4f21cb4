//! The others reduce once more than the root: a reduction lets them go on without it.
//!
//! ranks: 3
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let (mine, mut sum) = ([1], [0]);
    world.reduce(&mine, Some(&mut sum), Operation::Sum, 0)?;
    if world.rank() > 0 {
        world.reduce(&mine, None, Operation::Sum, 0)?; // WB0004 (1, 2)
    }
    Ok(())
}
