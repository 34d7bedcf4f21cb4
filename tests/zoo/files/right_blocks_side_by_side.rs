//! Each rank writes a block of its own.
//!
//! ranks: 2
use workbench::{FileMode, Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::write_only().create().delete_on_close();
    let file = world.file_open("zoo_side_by_side", mode)?;
    file.set_view::<f64>(0, &Layout::contiguous(1))?;
    let mine = [world.rank() as f64; 4];
    file.write_at_all(4 * world.rank(), &mine)?;
    file.close()
}
