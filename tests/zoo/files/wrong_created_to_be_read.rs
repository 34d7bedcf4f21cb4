//! A file that is created cannot be read only.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::read_only().create();
    let file = world.file_open("zoo_read_only", mode)?; // WB0052 (0, 1)
    file.close()
}
