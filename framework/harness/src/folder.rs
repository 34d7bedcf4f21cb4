//! Where the processes of a run meet: folders beside the test binary, removed when the run is over.
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Mutex,
    time::{Duration, SystemTime},
};

use tempfile::TempDir;

/// What is older than this was left behind by a run that was killed.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// The folders of this process's runs; they go with it.
static OPEN: Mutex<Vec<TempDir>> = Mutex::new(Vec::new());

/// The folder `wb` of the target directory that this binary belongs to.
pub(crate) fn state() -> io::Result<PathBuf> {
    let folder = wb_process::early::state_folder()?;
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// A new folder for one run.
pub(crate) fn create() -> io::Result<PathBuf> {
    let state = state()?;
    let mut open = OPEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if open.is_empty() {
        wb_process::at_exit(remove_all);
        remove_stale(&state);
    }
    let folder = tempfile::Builder::new().prefix("run-").tempdir_in(state)?;
    let path = folder.path().to_owned();
    open.push(folder);
    Ok(path)
}

/// Removes this process's folders, also when it is about to leave without its exit hooks.
pub(crate) fn remove_all() {
    OPEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clear();
}

/// Removes what killed runs left. That something cannot be removed harms nobody.
fn remove_stale(state: &Path) {
    let Ok(found) = fs::read_dir(state) else { return };
    let is_stale = |entry: &fs::DirEntry| {
        let modified =
            entry.metadata().and_then(|data| data.modified()).unwrap_or_else(|_| SystemTime::now());
        modified.elapsed().is_ok_and(|age| age > STALE)
    };
    for entry in found.flatten().filter(is_stale) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let _in_use = match name.split_once('-') {
            Some(("run", _)) => fs::remove_dir_all(entry.path()),
            Some(("slot", _)) => fs::remove_file(entry.path()),
            _ => Ok(()),
        };
    }
}
