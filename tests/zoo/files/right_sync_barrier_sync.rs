//! The write is synchronised, ordered by a barrier, and synchronised with by the reader.
//!
//! ranks: 2
use workbench::{FileMode, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::read_write().create().delete_on_close();
    let file = world.file_open("zoo_synchronised", mode)?;
    if world.rank() == 0 {
        file.write_at(0, &[1_u8, 2, 3])?;
    }
    file.sync()?;
    world.barrier()?;
    file.sync()?;
    if world.rank() == 1 {
        let mut last = [0_u8];
        assert_eq!((file.read_at(2, &mut last)?, last), (1, [3]));
    }
    file.close()
}
