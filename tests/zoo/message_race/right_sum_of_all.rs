//! The order in which they come does not matter for a sum.
//!
//! ranks: 3
use workbench::{ANY_SOURCE, Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() > 0 {
        return world.send(&[world.rank()], 0, 0);
    }
    let (mut sum, mut number) = (0, [0_usize]);
    for _ in 1..world.size() {
        world.recv(&mut number, ANY_SOURCE, 0)?;
        sum += number[0];
    }
    assert_eq!(sum, 3);
    Ok(())
}
