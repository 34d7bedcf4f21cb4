//! Closing and opening the file again orders as sync, barrier and sync do.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::read_write().create();
    let file = world.file_open("zoo_opened_again", mode)?;
    if world.rank() == 1 {
        file.write_at(0, &[7_u32])?;
    }
    file.close()?;
    let file = world.file_open("zoo_opened_again", mode.delete_on_close())?;
    if world.rank() == 0 {
        let mut read = [0_u32];
        assert_eq!((file.read_at(0, &mut read)?, read), (1, [7]));
    }
    file.close()
}
