//! The root passes one buffer, the others two: it is the same operation.
//!
//! ranks: 3
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut sum = [world.rank() + 1];
    if world.rank() == 0 {
        world.reduce_in_place(&mut sum, Operation::Sum, 0)?;
        assert_eq!(sum, [6]);
        return Ok(());
    }
    world.reduce(&sum, None, Operation::Sum, 0)
}
