//! Each rank detaches its buffer before it receives: the message of the other one stays there.
//!
//! ranks: 2
use workbench::{Result, World};

/// Too long for the library's own buffers.
const COUNT: usize = 100_000;

pub fn program(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    world.buffer_attach(8 * COUNT + World::BSEND_OVERHEAD)?;
    world.bsend(&vec![1_i64; COUNT], partner, 0)?; // WB0001 (0, 1)
    world.buffer_detach()?; // WB0001 (0, 1)
    world.recv(&mut vec![0_i64; COUNT], partner, 0)?;
    Ok(())
}
