//! Floats are written through a view of floats.
//!
//! ranks: 2
use workbench::{FileMode, Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::write_only().create().delete_on_close();
    let file = world.file_open("zoo_floats", mode)?;
    file.set_view::<f32>(0, &Layout::contiguous(1))?;
    file.write_at(world.rank(), &[0.5_f32])?;
    file.close()
}
