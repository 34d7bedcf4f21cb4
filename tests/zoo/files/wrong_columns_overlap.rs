//! The views of neighbouring ranks have a column in common.
//!
//! ranks: 2
use workbench::{FileMode, Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::write_only().create().delete_on_close();
    let file = world.file_open("zoo_columns_overlap", mode)?;
    let columns = Layout::subarray(&[3, 4], &[3, 2], &[0, world.rank()])?;
    file.set_view::<i32>(0, &columns)?;
    file.write_at(0, &[1; 6])?; // WB0024 (0, 1)
    file.close()
}
