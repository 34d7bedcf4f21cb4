//! Files that a command will write: whether they can be is found out before the work, and not after it.

use std::{
    fs::{self, OpenOptions},
    path::Path,
};

use crate::error::{CliError, Result};

/// Finds out that `path` can be written, and leaves what is there as it is.
///
/// # Errors
/// The system refuses: there is no such folder, it is one itself, it may not be written, the disk is full.
pub(crate) fn check(path: &Path) -> Result<()> {
    let was_there = path.exists();
    let opened = OpenOptions::new().append(true).create(true).open(path);
    opened.map_err(CliError::system("write", path))?;
    if !was_there {
        fs::remove_file(path).map_err(CliError::system("remove", path))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_refused_and_the_rest_stays_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let (new, old) = (folder.path().join("new"), folder.path().join("old"));
        fs::write(&old, "kept").expect("written");
        assert!(check(&new).is_ok() && check(&old).is_ok());
        assert!(!new.exists());
        assert_eq!(fs::read_to_string(&old).expect("read"), "kept");
        assert!(check(folder.path()).is_err() && check(&folder.path().join("no/such")).is_err());
    }
}
