//! Blocks of different lengths, whose root continues before the other rank has called it: the other one waits for what is sent after it.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let root = world.rank() == 0;
    if world.rank() == 0 {
        world.scatterv(root.then_some((&[1, 2][..], &[1, 1][..])), &mut [0], 0)?; // WB0004 (0)
        return world.send(&[1], 1, 5);
    }
    world.recv(&mut [0], 0, 5)?; // WB0004 (1)
    world.scatterv(root.then_some((&[1, 2][..], &[1, 1][..])), &mut [0], 0)
}
