//! All ranks give the file one size.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::write_only().create().delete_on_close();
    let file = world.file_open("zoo_one_size", mode)?;
    file.set_size(world.size())?;
    file.close()
}
