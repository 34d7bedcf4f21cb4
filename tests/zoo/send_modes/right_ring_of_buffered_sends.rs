//! Every rank sends to the right through its buffer before it receives from the left.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    world.buffer_attach(8 + World::BSEND_OVERHEAD)?;
    world.bsend(&[rank], (rank + 1) % size, 0)?;
    world.recv(&mut [0_usize], (rank + size - 1) % size, 0)?;
    world.buffer_detach()?;
    Ok(())
}
