//! The file is created, then read.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::write_only().create();
    let file = world.file_open("zoo_of_all", mode)?;
    file.close()?;
    let mode = FileMode::read_only().delete_on_close();
    let file = world.file_open("zoo_of_all", mode)?;
    file.close()
}
