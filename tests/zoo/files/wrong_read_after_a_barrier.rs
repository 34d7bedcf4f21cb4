//! A barrier alone does not make a write visible to the other rank.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::read_write().create().delete_on_close();
    let file = world.file_open("zoo_read_after", mode)?;
    if world.rank() == 0 {
        file.write_at(0, &[1_u8, 2, 3])?; // WB0024 (0)
    }
    world.barrier()?;
    if world.rank() == 1 {
        file.read_at(2, &mut [0_u8])?; // WB0024 (1)
    }
    file.close()
}
