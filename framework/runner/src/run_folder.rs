//! Folders that the processes of a run share: beside the test binary, removed at the end of the run.
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, Once},
    time::{Duration, SystemTime},
};

use tempfile::TempDir;
use wb_process::ProcessIdentity;

/// The prefix of the name of a run's folder.
const RUN: &str = "run";

/// A folder that is older than this and does not name its process was left by a killed run.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// The folders of this process's runs, which are removed with the process.
static OPEN: Mutex<Vec<TempDir>> = Mutex::new(Vec::new());

/// The folder `wb` of the target directory that this binary belongs to.
pub fn state() -> io::Result<PathBuf> {
    let folder = wb_process::before_main::state_folder()?;
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// A new folder for one run.
pub fn create() -> io::Result<PathBuf> {
    create_in(&state()?, RUN)
}

/// A new folder in `state`, whose name begins with `kind`. Folders of this kind that killed processes left there are removed.
pub fn create_in(state: &Path, kind: &str) -> io::Result<PathBuf> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| wb_process::at_exit(remove_all));
    let mut open = OPEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if open.is_empty() {
        remove_stale(state, kind);
    }
    let prefix = format!("{kind}-{}-", ProcessIdentity::current());
    let folder = tempfile::Builder::new().prefix(&prefix).tempdir_in(state)?;
    let path = folder.path().to_owned();
    open.push(folder);
    Ok(path)
}

/// A folder for one run, which is removed when this is dropped.
#[derive(Debug)]
pub struct RunFolder(PathBuf);

impl RunFolder {
    /// A new folder.
    ///
    /// # Errors
    /// When the target directory cannot be written.
    pub fn create() -> io::Result<Self> {
        create().map(Self)
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// Removes this process's folders, also before an exit without exit hooks.
pub fn remove_all() {
    OPEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clear();
}

/// Removes one of this process's folders.
pub fn remove(folder: &Path) {
    OPEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner).retain(|open| open.path() != folder);
}

/// The process that the folder `<kind>-<process>-<rest>` belongs to.
fn owner(name: &str, kind: &str) -> Option<ProcessIdentity> {
    let (process, _) = name.strip_prefix(kind)?.strip_prefix('-')?.rsplit_once('-')?;
    process.parse().ok()
}

/// Removes the folders of this kind that killed runs left. A file that cannot be removed does no harm.
fn remove_stale(state: &Path, kind: &str) {
    let Ok(found) = fs::read_dir(state) else { return };
    let is_stale = |entry: &fs::DirEntry| {
        let found = owner(&entry.file_name().to_string_lossy(), kind);
        match &found {
            Some(owner) if owner.is_visible() => return owner.has_ended(),
            // A process of another host that shares the folder cannot be seen from here.
            Some(_) => {}
            None if kind != RUN => return false,
            None => {}
        }
        let modified =
            entry.metadata().and_then(|data| data.modified()).unwrap_or_else(|_| SystemTime::now());
        modified.elapsed().is_ok_and(|age| age > STALE)
    };
    for entry in found.flatten().filter(is_stale) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let _in_use = match name.split_once('-') {
            _ if owner(&name, kind).is_some() => fs::remove_dir_all(entry.path()),
            Some((RUN, _)) => fs::remove_dir_all(entry.path()),
            Some(("slot", _)) => fs::remove_file(entry.path()),
            _ => Ok(()),
        };
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    /// The table of processes of this one, as a part of a name.
    fn own_table() -> String {
        ProcessIdentity::current().to_string().rsplit('-').next().expect("a part").to_owned()
    }

    #[test]
    fn folders_of_another_kind_stay() {
        let state = tempfile::tempdir().expect("a folder");
        let table = own_table();
        let names = [
            format!("judge-4194305-17-{table}-abc"),
            format!("run-4194305-17-{table}-abc"),
            "judge-of-appeal".to_owned(),
            "slot-1".to_owned(),
        ];
        names.iter().for_each(|name| fs::create_dir(state.path().join(name)).expect("made"));
        let open = create_in(state.path(), "judge").expect("made");
        for (name, stays) in names.iter().zip([false, true, true, true]) {
            assert_eq!(state.path().join(name).exists(), stays, "{name}");
        }
        assert!(open.is_dir());
        remove(&open);
        assert!(!open.exists());
    }

    #[test]
    fn folders_of_processes_that_are_gone_are_removed_and_those_of_living_ones_stay() {
        let state = tempfile::tempdir().expect("a folder");
        let (own, table) = (ProcessIdentity::current(), own_table());
        let names = [
            format!("run-{own}-abc"),
            format!("run-{}-0-{table}-abc", own.number()),
            format!("run-4194305-17-{table}-abc"),
            // Of a process of another host, which is not visible here.
            "run-4194305-17-a1da45f3.4026532000-abc".to_owned(),
            "run-Abc1".to_owned(),
            "perf".to_owned(),
        ];
        names.iter().for_each(|name| fs::create_dir(state.path().join(name)).expect("made"));
        remove_stale(state.path(), RUN);
        for (name, stays) in names.iter().zip([true, false, false, true, true, true]) {
            assert_eq!(state.path().join(name).exists(), stays, "{name}");
        }
    }
}
