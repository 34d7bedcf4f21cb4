//! The last start has no wait.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return (0..2).try_for_each(|_| world.send(&[1], 1, 0));
    }
    let mut receive = world.recv_init::<i32>(1, 0, 0)?; // WB0011 (1)
    receive.start()?;
    receive.wait()?;
    world.start_all([&mut receive]) // WB0011 (1)
}
