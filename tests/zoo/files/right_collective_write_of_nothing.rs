//! The other rank writes an empty part.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::write_only().create().delete_on_close();
    let file = world.file_open("zoo_nothing", mode)?;
    let mine: &[u8] = if world.rank() == 0 { &[1] } else { &[] };
    file.write_at_all(0, mine)?;
    file.close()
}
