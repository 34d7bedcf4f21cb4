//! The largest value comes with the rank that has it.
//!
//! ranks: 3
use workbench::{Located, Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut largest = [Located::default()];
    let mine = [Located::new(-(world.rank() as f64), world.rank() as i32)];
    world.allreduce(&mine, &mut largest, Operation::MaxLoc)?;
    assert_eq!(largest, [Located::new(0.0, 0)]);
    Ok(())
}
