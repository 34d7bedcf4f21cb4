//! A file that is opened to write is read.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::write_only().create().delete_on_close();
    let file = world.file_open("zoo_write_only", mode)?;
    file.write_at_all(world.rank(), &[1_u8])?;
    file.read_at_all(world.rank(), &mut [0_u8])?; // WB0053 (0, 1)
    file.close()
}
