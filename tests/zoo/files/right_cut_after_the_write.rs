//! The file is cut after sync, barrier and sync.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::write_only().create().delete_on_close();
    let file = world.file_open("zoo_cut_after", mode)?;
    if world.rank() == 0 {
        file.write_at(0, &[1_u8; 8])?;
    }
    file.sync()?;
    world.barrier()?;
    file.sync()?;
    file.set_size(4)?;
    file.close()
}
