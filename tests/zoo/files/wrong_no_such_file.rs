//! A file that does not exist is opened without create.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::read_only();
    let file = world.file_open("zoo_of_nobody", mode)?; // WB0052 (0, 1)
    file.close()
}
