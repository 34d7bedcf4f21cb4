//! A collective write is called by one rank only.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::write_only().create().delete_on_close();
    let file = world.file_open("zoo_one_rank", mode)?;
    if world.rank() == 0 {
        file.write_at_all(0, &[1_u8])?; // WB0030 (0)
    }
    file.close() // WB0030 (1)
}
