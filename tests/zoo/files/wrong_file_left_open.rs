//! A file is dropped and not closed.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::write_only().create().delete_on_close();
    let file = world.file_open("zoo_left_open", mode)?; // WB0014 (0, 1)
    file.write_at(world.rank(), &[1_u8])
}
