//! The positions of a view fall.
//!
//! ranks: 2
use workbench::{FileMode, Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::write_only().create().delete_on_close();
    let file = world.file_open("zoo_backwards", mode)?;
    let backwards = Layout::indexed(&[1, 1], &[1, 0])?;
    file.set_view::<u8>(0, &backwards)?; // WB0053 (0, 1)
    file.close()
}
