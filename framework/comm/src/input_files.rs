//! The files that the task of this process may open: those of its assignment, by their names, to be read.
//!
//! A graded task computes from its input. The files of its assignment are a part of the input, so they are the same in every run and no run
//! leaves anything in them. A path that is not one of the names is refused, whatever it leads to: an absolute one, one with `..`, a link.
//!
//! A process runs one task. Its harness calls [`restrict`] before the task's code runs, and the first restriction holds until the process
//! ends. Without one every file can be opened.
use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use serde::{Deserialize, Serialize};

use crate::{FileArgs, FileError, FileMode, Result};

/// The restriction of this process.
static RESTRICTION: OnceLock<InputFiles> = OnceLock::new();

/// The files of an assignment: a folder, and the names of the files in it that a task may read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFiles {
    folder: PathBuf,
    names: Vec<String>,
}

impl InputFiles {
    /// The files with these names in `folder`.
    pub fn new(folder: impl Into<PathBuf>, names: Vec<String>) -> Self {
        Self { folder: folder.into(), names }
    }

    /// The folder of the files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The names of the files.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The same names in another folder, such as the one that a sandbox shows.
    #[must_use]
    pub fn seen_in(&self, folder: impl Into<PathBuf>) -> Self {
        Self::new(folder, self.names.clone())
    }

    /// The file that these arguments name, with its path on the disk.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File) for a path that is none of the names, for a mode other than read only, and where there is no
    /// regular file.
    pub fn find(&self, args: &FileArgs) -> Result<FileArgs> {
        let FileArgs { path, mode } = args;
        if !self.names.contains(path) {
            let (path, names) = (path.clone(), self.names.clone());
            return Err(FileError::NotInput { path, names }.into_error());
        }
        if *mode != FileMode::read_only() {
            return Err(FileError::InputMode { mode: *mode }.into_error());
        }
        let on_disk = self.folder.join(path);
        let not_regular = || FileError::NotRegular { path: path.clone() }.into_error();
        // A link is not followed: it may lead anywhere.
        match fs::symlink_metadata(&on_disk) {
            Ok(found) if found.is_file() => {}
            Ok(_) => return Err(not_regular()),
            Err(error) => return Err(FileError::from_system(path, &error).into_error()),
        }
        let path = on_disk.into_os_string().into_string().map_err(|_| not_regular())?;
        Ok(FileArgs { path, mode: *mode })
    }
}

/// Restricts the task of this process to these files from now on. A later call changes nothing.
pub fn restrict(files: InputFiles) {
    let _restricted_before = RESTRICTION.set(files);
}

/// The file that a task opens with these arguments.
///
/// # Errors
/// Those of [`InputFiles::find`], where this process is restricted.
pub fn resolve(args: FileArgs) -> Result<FileArgs> {
    match RESTRICTION.get() {
        Some(files) => files.find(&args),
        None => Ok(args),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::Error;

    /// A folder with a file, a link to it and a folder, beside a file that is not the assignment's.
    struct Folder(PathBuf);

    impl Folder {
        fn new() -> Self {
            let root = std::env::temp_dir().join(format!("wb-input-files-{}", std::process::id()));
            let files = root.join("files");
            fs::create_dir_all(files.join("folder")).expect("ours");
            fs::write(files.join("input.bin"), [1]).expect("ours");
            fs::write(root.join("expected.bin"), [2]).expect("ours");
            symlink("../expected.bin", files.join("link.bin")).expect("ours");
            Self(root)
        }

        fn files(&self) -> InputFiles {
            let names = ["input.bin", "link.bin", "folder", "gone.bin"].map(str::to_owned);
            InputFiles::new(self.0.join("files"), names.into())
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).expect("ours");
        }
    }

    fn refusal(files: &InputFiles, path: &str, mode: FileMode) -> FileError {
        match files.find(&FileArgs { path: path.to_owned(), mode }) {
            Err(Error::File(error)) => *error,
            other => panic!("{path} {mode}: {other:?}"),
        }
    }

    #[test]
    fn only_the_named_files_are_found_and_only_to_be_read() {
        let folder = Folder::new();
        let files = folder.files();
        let (mode, own) = (FileMode::read_only(), folder.0.join("files/input.bin").display().to_string());
        let found = files.find(&FileArgs { path: "input.bin".into(), mode });
        assert_eq!(found, Ok(FileArgs { path: own.clone(), mode }));
        for path in [
            "../expected.bin",
            "files/../../expected.bin",
            "./input.bin",
            &own,
            "/proc/self/mem",
            "",
            "other.bin",
            "folder/x",
        ] {
            let names = files.names().to_vec();
            assert_eq!(refusal(&files, path, mode), FileError::NotInput { path: path.into(), names });
        }
        for mode in [
            FileMode::write_only(),
            FileMode::read_write(),
            FileMode::write_only().create(),
            mode.delete_on_close(),
            FileMode::read_write().create().exclusive(),
        ] {
            assert_eq!(refusal(&files, "input.bin", mode), FileError::InputMode { mode });
        }
    }

    #[test]
    fn a_name_that_is_a_link_or_a_folder_is_not_a_file() {
        let folder = Folder::new();
        for path in ["link.bin", "folder"] {
            let found = refusal(&folder.files(), path, FileMode::read_only());
            assert_eq!(found, FileError::NotRegular { path: path.into() });
        }
        let missing = refusal(&folder.files(), "gone.bin", FileMode::read_only());
        assert_eq!(missing, FileError::NotFound { path: "gone.bin".into() });
    }

    #[test]
    fn an_assignment_without_files_has_none() {
        let found = refusal(&InputFiles::default(), "input.bin", FileMode::read_only());
        assert_eq!(found, FileError::NotInput { path: "input.bin".into(), names: vec![] });
    }
}
