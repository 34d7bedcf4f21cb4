//! The path contains the rank, so the ranks do not name one file.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let path = format!("zoo_of_rank_{}", world.rank());
    let mode = FileMode::write_only().create().delete_on_close();
    let file = world.file_open(&path, mode)?; // WB0036 (0, 1)
    file.close()
}
