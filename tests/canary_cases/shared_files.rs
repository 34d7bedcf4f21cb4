//! Mistakes with a file that ranks open together.
use workbench::FileMode;

use crate::number_task::{distribute, test};

#[test]
#[ignore = "needs a task"]
fn a_file_stays_open() {
    test(|world, number| {
        let number = distribute(world, number)?;
        drop(world.file_open("Cargo.toml", FileMode::read_only())?);
        Ok(number)
    });
}

#[test]
#[ignore = "needs a task"]
fn ranks_write_the_same_bytes() {
    test(|world, number| {
        let number = distribute(world, number)?;
        let path = std::env::temp_dir().join("wb_canary_shared_file");
        let mode = FileMode::write_only().create().delete_on_close();
        let file = world.file_open(path.to_str().expect("a name"), mode)?;
        file.write_at(0, &[world.rank()])?;
        file.close()?;
        Ok(number)
    });
}
