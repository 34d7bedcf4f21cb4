//! The ranks give the file different sizes.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::write_only().create().delete_on_close();
    let file = world.file_open("zoo_sizes", mode)?;
    file.set_size(world.rank() + 1)?; // WB0032 (0, 1)
    file.close()
}
