//! The size is asked for after sync, barrier and sync.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::read_write().create().delete_on_close();
    let file = world.file_open("zoo_size_after", mode)?;
    if world.rank() == 0 {
        file.write_at(0, &[1_u8])?;
    }
    file.sync()?;
    world.barrier()?;
    file.sync()?;
    assert_eq!(file.size()?, 1);
    file.close()
}
