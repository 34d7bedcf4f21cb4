//! A lock between processes: one holder at a time, known by its process identifier.
//!
//! The kernel releases it when the holder ends, however that happens, so no stale lock has to be removed.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    path::Path,
};

use rustix::{
    fs::{FlockOperation, flock},
    io::Errno,
};

/// A lock that this process holds until it is dropped.
#[derive(Debug)]
pub struct FileLock {
    _file: File,
}

/// The reason why a lock cannot be taken.
#[derive(Debug)]
pub enum LockError {
    /// Another process holds it; its identifier, unless it has taken the lock in this moment.
    HeldBy(Option<u32>),
    /// The file of the lock cannot be used.
    Unusable(io::Error),
}

impl From<io::Error> for LockError {
    fn from(error: io::Error) -> Self {
        Self::Unusable(error)
    }
}

impl FileLock {
    /// Takes the lock whose file is at `path`, and does not wait for it. The file is created and is not removed.
    ///
    /// # Errors
    /// [`LockError`].
    pub fn try_acquire(path: &Path) -> Result<Self, LockError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => {
                let mut holder = String::new();
                file.read_to_string(&mut holder)?;
                return Err(LockError::HeldBy(holder.trim().parse().ok()));
            }
            Err(error) => return Err(io::Error::from(error).into()),
        }
        file.set_len(0)?;
        writeln!(file, "{}", std::process::id())?;
        Ok(Self { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_lock_has_one_holder_who_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("locks/task");
        let held = FileLock::try_acquire(&path).expect("free");
        let refused = FileLock::try_acquire(&path).expect_err("held");
        assert!(matches!(refused, LockError::HeldBy(Some(pid)) if pid == std::process::id()), "{refused:?}");
        drop(held);
        drop(FileLock::try_acquire(&path).expect("free again"));
    }

    #[test]
    fn a_lock_is_not_handed_on_to_children() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("task");
        let held = FileLock::try_acquire(&path).expect("free");
        let mut child = Command::new("sleep").arg("60").stdin(Stdio::null()).spawn().expect("a process");
        drop(held);
        let again = FileLock::try_acquire(&path);
        child.kill().expect("it runs");
        child.wait().expect("its end");
        assert!(again.is_ok(), "the child that was started meanwhile has the file open");
    }
}
