//! What is received was sent.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut data = [7];
    if world.rank() == 0 {
        return (1..world.size()).try_for_each(|rank| world.send(&data, rank, 0));
    }
    world.recv(&mut data, 0, 0)?;
    Ok(())
}
