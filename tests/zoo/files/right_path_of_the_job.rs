//! All ranks name one file.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let path = format!("zoo_of_{}_ranks", world.size());
    let mode = FileMode::write_only().create().delete_on_close();
    let file = world.file_open(&path, mode)?;
    file.close()
}
