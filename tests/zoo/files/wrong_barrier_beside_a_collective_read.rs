//! One rank is in a collective read, the other in a barrier.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::read_write().create().delete_on_close();
    let file = world.file_open("zoo_barrier", mode)?;
    if world.rank() == 0 {
        file.read_at_all(0, &mut [0_u8])?; // WB0030 (0)
    } else {
        world.barrier()?; // WB0030 (1)
    }
    file.close()
}
