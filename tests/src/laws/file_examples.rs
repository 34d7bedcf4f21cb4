//! The examples of files in `docs/world.md`; see `verb_examples.rs`.
use wb_world::{FileMode, Layout, World};

use super::{Law, files::new_path};

pub(super) const LAWS: &[Law] = &[("the examples of files", |world| examples(world).expect("files"))];

fn examples(world: &World) -> wb_world::Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let path = &new_path(world);
    // World::file_open
    let file = world.file_open(path, FileMode::read_write().create().delete_on_close())?;
    // File::set_view
    file.set_view::<f64>(0, &Layout::vector(2, 1, size).at(rank))?;
    // File::write_at_all
    file.write_at_all(0, &[0.5, rank as f64])?;
    // File::sync
    file.sync()?;
    world.barrier()?;
    file.sync()?;
    let mut mine = [0.0; 2];
    // File::read_at_all
    let count = file.read_at_all(0, &mut mine)?;
    assert_eq!((count, mine), (2, [0.5, rank as f64]));
    // File::read_at
    file.read_at(1, &mut mine[..1])?;
    assert_eq!(mine[0], rank as f64);
    // File::write_at
    file.write_at(0, &[1.5])?;
    // File::size
    let bytes = file.size()?;
    assert_eq!(bytes, 16 * size);
    file.sync()?;
    world.barrier()?;
    file.sync()?;
    // File::set_size
    file.set_size(8 * size)?;
    // File::close
    file.close()
}
