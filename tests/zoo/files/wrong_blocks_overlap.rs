//! The blocks of the ranks overlap by one element.
//!
//! ranks: 2
use workbench::{FileMode, Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::write_only().create().delete_on_close();
    let file = world.file_open("zoo_overlap", mode)?;
    file.set_view::<f64>(0, &Layout::contiguous(1))?;
    let mine = [world.rank() as f64; 4];
    file.write_at_all(3 * world.rank(), &mine)?; // WB0024 (0, 1)
    file.close()
}
