//! Each start has its wait.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 1 {
        return (0..2).try_for_each(|_| world.recv(&mut [0], 0, 0).map(drop));
    }
    let mut send = world.send_init(vec![1], 1, 0)?;
    for _ in 0..2 {
        send.start()?;
        send.wait()?;
    }
    Ok(())
}
