//! NOSUCCEED at the last fence of all ranks.
//!
//! ranks: 2
use workbench::{Assertion, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let epoch = window.fence()?;
    epoch.put(&[1], 1 - world.rank(), 0)?;
    let promise = Assertion { no_succeed: true, ..Assertion::default() };
    drop(window.fence_with(promise)?);
    window.free()
}
