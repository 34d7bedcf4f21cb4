//! A rank reads what it has written itself.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::read_write().create().delete_on_close();
    let file = world.file_open("zoo_read_write", mode)?;
    file.write_at_all(world.rank(), &[1_u8])?;
    file.read_at_all(world.rank(), &mut [0_u8])?;
    file.close()
}
