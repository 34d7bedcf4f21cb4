//! One collective sync need not wait for the other ranks, so it orders nothing.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::read_write().create().delete_on_close();
    let file = world.file_open("zoo_one_sync", mode)?;
    if world.rank() == 1 {
        file.write_at(0, &[7_u32])?; // WB0024 (1)
    }
    file.sync()?;
    if world.rank() == 0 {
        file.read_at(0, &mut [0_u32])?; // WB0024 (0)
    }
    file.close()
}
