//! The size is asked for while another rank extends the file.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::read_write().create().delete_on_close();
    let file = world.file_open("zoo_size", mode)?;
    if world.rank() == 0 {
        file.write_at(0, &[1_u8])?; // WB0024 (0)
    } else {
        file.size()?; // WB0024 (1)
    }
    file.close()
}
