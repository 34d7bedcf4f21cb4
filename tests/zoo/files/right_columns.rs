//! The ranks write the columns of a matrix and read them after sync, barrier and sync.
//!
//! ranks: 2
use workbench::{FileMode, Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let mode = FileMode::read_write().create().delete_on_close();
    let file = world.file_open("zoo_columns", mode)?;
    let (rank, columns) = (world.rank(), Layout::vector(3, 1, 2));
    file.set_view::<i32>(0, &columns.at(rank))?;
    file.write_at_all(0, &[rank as i32; 3])?;
    file.sync()?;
    world.barrier()?;
    file.sync()?;
    file.set_view::<i32>(0, &columns.at(1 - rank))?;
    let mut other = [-1; 3];
    assert_eq!(file.read_at_all(0, &mut other)?, 3);
    assert_eq!(other, [1 - rank as i32; 3]);
    file.close()
}
