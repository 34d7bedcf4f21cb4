//! Where the files of a job are: on the disk, or in memory.
//!
//! In a checked run every execution must begin with the same content, so nothing is written to the disk: a file is read into memory when it
//! is opened first, and what the execution writes, makes or deletes stays there and ends with it.
use std::{
    collections::BTreeMap,
    fs::{self, OpenOptions},
    io,
    path::{self, PathBuf},
    sync::Arc,
};

use wb_comm::{FileArgs, FileError, Result};

use crate::fabric::files::storage::Storage;

/// The files of a job.
#[derive(Debug, Default)]
pub(crate) enum FileStore {
    /// The files of the disk.
    #[default]
    Disk,
    /// Copies in memory, by their absolute paths; `None` for a file that was deleted.
    Memory(BTreeMap<PathBuf, Option<Arc<Storage>>>),
}

impl FileStore {
    /// Opens a file once for all ranks of the job.
    ///
    /// # Errors
    /// For what is no regular file, and those of the operating system.
    pub(crate) fn open(&mut self, args: &FileArgs) -> Result<Arc<Storage>> {
        if !FileArgs::is_path_of_file(&args.path) {
            return Err(FileError::NotRegular { path: args.path.clone() }.into_error());
        }
        let opened = match self {
            Self::Disk => open_on_disk(args).map(Arc::new),
            Self::Memory(files) => open_in_memory(files, args),
        };
        opened.map_err(|error| FileError::from_system(&args.path, &error).into_error())
    }

    /// Deletes a file after its close.
    ///
    /// # Errors
    /// Those of the operating system.
    pub(crate) fn delete(&mut self, path: &str) -> Result<()> {
        let deleted = match self {
            Self::Disk => fs::remove_file(path),
            Self::Memory(files) => path::absolute(path).map(|path| drop(files.insert(path, None))),
        };
        deleted.map_err(|error| FileError::from_system(path, &error).into_error())
    }
}

fn open_on_disk(FileArgs { path, mode }: &FileArgs) -> io::Result<Storage> {
    let mut options = OpenOptions::new();
    options.read(mode.is_readable()).write(mode.is_writable());
    options.create(mode.creates).create_new(mode.creates && mode.is_exclusive);
    Ok(Storage::on_disk(path.clone(), options.open(path)?))
}

/// Opens the file as the disk would: the rights of a file that exists are checked on the disk, without changing it.
fn open_in_memory(
    files: &mut BTreeMap<PathBuf, Option<Arc<Storage>>>,
    FileArgs { path, mode }: &FileArgs,
) -> io::Result<Arc<Storage>> {
    let absolute = path::absolute(path)?;
    let known = match files.get(&absolute) {
        Some(known) => known.clone(),
        None => match OpenOptions::new().read(true).write(mode.is_writable()).open(&absolute) {
            Ok(_) => Some(Arc::new(Storage::in_memory(path.clone(), fs::read(&absolute)?))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        },
    };
    let storage = match known {
        Some(_) if mode.is_exclusive => return Err(io::ErrorKind::AlreadyExists.into()),
        Some(known) => known,
        None if mode.creates => Arc::new(Storage::in_memory(path.clone(), vec![])),
        None => return Err(io::ErrorKind::NotFound.into()),
    };
    files.insert(absolute, Some(Arc::clone(&storage)));
    Ok(storage)
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "an access has a list of blocks, also of a single one")]
mod tests {
    use wb_comm::{Error, FileMode};

    use super::*;

    /// A folder of this test alone, removed at its end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("wb-fabric-{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).expect("a folder of our own");
            Self(folder)
        }

        fn args(&self, mode: FileMode) -> FileArgs {
            FileArgs { path: self.0.join("file").display().to_string(), mode }
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).expect("removed");
        }
    }

    fn stores() -> [FileStore; 2] {
        [FileStore::Disk, FileStore::Memory(BTreeMap::new())]
    }

    #[test]
    fn both_stores_open_and_delete_alike() {
        for (at, mut store) in stores().into_iter().enumerate() {
            let folder = Folder::new(&format!("alike-{at}"));
            let kind = |result: Result<Arc<Storage>>| match result {
                Err(Error::File(error)) => *error,
                other => panic!("{other:?}"),
            };
            let (new, old) = (FileMode::read_write().create(), FileMode::read_only());
            let path = folder.args(old).path;
            assert_eq!(kind(store.open(&folder.args(old))), FileError::NotFound { path: path.clone() });
            let made = store.open(&folder.args(new)).expect("made");
            made.write(&[2..4, 6..7], &[1, 2, 3]).expect("written");
            assert_eq!(
                kind(store.open(&folder.args(new.exclusive()))),
                FileError::Exists { path: path.clone() }
            );
            let again = store.open(&folder.args(old)).expect("it is there");
            let mut all = [9; 7];
            again.read(&[0..7], &mut all).expect("read");
            assert_eq!((all, again.size()), ([0, 0, 1, 2, 0, 0, 3], Ok(7)));
            made.set_size(3).expect("cut");
            assert_eq!(again.size(), Ok(3));
            assert!(again.read(&[2..4], &mut [0; 2]).is_err(), "behind the end");
            store.delete(&path).expect("deleted");
            assert_eq!(kind(store.open(&folder.args(old))), FileError::NotFound { path });
        }
    }

    #[test]
    fn a_store_in_memory_begins_with_the_disk_and_leaves_it_alone() {
        let folder = Folder::new("memory");
        let args = folder.args(FileMode::read_write().create());
        fs::write(&args.path, [1, 2]).expect("written");
        for _ in 0..2 {
            let mut store = FileStore::Memory(BTreeMap::new());
            let file = store.open(&args).expect("it is there");
            assert_eq!(file.size(), Ok(2));
            file.write(&[1..3], &[7, 7]).expect("written");
            store.delete(&args.path).expect("deleted");
        }
        assert_eq!(fs::read(&args.path).expect("it is still there"), [1, 2]);
        let mut store = FileStore::Memory(BTreeMap::new());
        let long = store.open(&args).expect("it is there").set_size(1 << 40).expect_err("longer than memory");
        assert!(long.to_string().contains("up to 1073741824 bytes"), "{long}");
    }
}
