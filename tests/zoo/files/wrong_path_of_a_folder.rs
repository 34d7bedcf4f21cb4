//! A folder is opened in place of a file.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::read_only();
    let file = world.file_open("/", mode)?; // WB0052 (0, 1)
    file.close()
}
