//! Atomic writes: a file has its old content or its new one, never a part.

use std::{
    fs::{self, OpenOptions, Permissions},
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::Path,
};

/// The mode of a new file, before the process's umask is applied.
const NEW_FILE_MODE: u32 = 0o666;

/// The mode of a file that only its owner may read.
const SECRET_FILE_MODE: u32 = 0o600;

/// Writes this content to the file at `path`: to a temporary file beside it, which is then renamed.
///
/// A reader sees the old content or the new one. When the disk is full, or the process ends in the middle, the old file
/// does not change. A file that exists keeps its permissions; a symbolic link stays one. A path that is not a regular
/// file (a terminal, a pipe, `/dev/full`) has no old content and is written directly.
///
/// # Errors
/// When the folder does not exist, the file may not be written, or the disk is full.
pub fn write_atomically(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && fs::symlink_metadata(path).is_err() => {
            return write_and_rename(path, NEW_FILE_MODE, content.as_ref());
        }
        Ok(found) if found.is_file() && !is_device_path(path) => found,
        // A dangling link is followed.
        _ => return fs::write(path, content),
    };
    let real = fs::canonicalize(path)?;
    // A rename needs no write permission of the old file, but a write-protected file must not change.
    OpenOptions::new().append(true).open(&real)?;
    write_and_rename(&real, found.permissions().mode(), content.as_ref())?;
    fs::set_permissions(&real, found.permissions())
}

/// Writes a secret to the file at `path`, as [`write_atomically`] does. The file is new, also where one exists, and at no time can
/// another user than its owner read it.
///
/// # Errors
/// When the folder does not exist, the file may not be written, or the disk is full.
pub fn write_secret_atomically(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    write_and_rename(path, SECRET_FILE_MODE, content.as_ref())
}

/// Whether it is a name that the system gives to open files (`/dev/stdout`). Their former content must not be dropped.
fn is_device_path(path: &Path) -> bool {
    path.starts_with("/dev") || path.starts_with("/proc")
}

fn write_and_rename(path: &Path, mode: u32, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut unfinished = tempfile::Builder::new()
        .prefix(".unfinished-")
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(folder)?;
    unfinished.write_all(content)?;
    unfinished.persist(path).map(drop).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_made_or_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("page.html"), folder.path().join("link"));
        write_atomically(&file, "first").expect("written");
        fs::set_permissions(&file, Permissions::from_mode(0o640)).expect("set");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        write_atomically(&link, "second").expect("written");
        assert_eq!(fs::read_to_string(&file).expect("read"), "second");
        assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
        let error_kind = |path: &Path| write_atomically(path, "").map_err(|error| error.kind());
        assert_eq!(error_kind(&folder.path().join("no/such")), Err(io::ErrorKind::NotFound));
        assert_eq!(error_kind(folder.path()), Err(io::ErrorKind::IsADirectory));
    }

    #[test]
    fn a_secret_is_the_owners_whatever_was_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.secret");
        for before in [None, Some(0o666)] {
            if let Some(mode) = before {
                fs::set_permissions(&file, Permissions::from_mode(mode)).expect("set");
            }
            write_secret_atomically(&file, "secret").expect("written");
            assert_eq!(fs::read_to_string(&file).expect("read"), "secret");
            assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_device_is_written_and_not_replaced() {
        let refused = write_atomically(Path::new("/dev/full"), "a page").expect_err("it is always full");
        assert_eq!(refused.kind(), io::ErrorKind::StorageFull);
        write_atomically(Path::new("/dev/null"), "a page").expect("it takes everything");
        assert!(!fs::metadata("/dev/null").expect("there").is_file());
    }
}
