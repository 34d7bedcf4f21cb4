//! The file is cut where another rank has written.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::write_only().create().delete_on_close();
    let file = world.file_open("zoo_cut", mode)?;
    if world.rank() == 0 {
        file.write_at(0, &[1_u8; 8])?; // WB0024 (0)
    }
    file.sync()?;
    world.barrier()?;
    file.set_size(4)?; // WB0024 (1)
    file.close()
}
