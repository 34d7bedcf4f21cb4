//! Floats are written through a view of doubles.
//!
//! ranks: 2
use workbench::{FileMode, Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::write_only().create().delete_on_close();
    let file = world.file_open("zoo_doubles", mode)?;
    file.set_view::<f64>(0, &Layout::contiguous(1))?;
    file.write_at(world.rank(), &[0.5_f32])?; // WB0053 (0, 1)
    file.close()
}
