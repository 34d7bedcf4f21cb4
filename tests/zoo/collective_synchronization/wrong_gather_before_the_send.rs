//! A gather that continues before the other rank has called it: the other one waits for what is sent after it.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let root = world.rank() == 0;
    if world.rank() == 1 {
        world.gather(&[1], root.then_some(&mut [0; 2][..]), 0)?; // WB0004 (1)
        return world.send(&[1], 0, 5);
    }
    world.recv(&mut [0], 1, 5)?; // WB0004 (0)
    world.gather(&[1], root.then_some(&mut [0; 2][..]), 0)
}
