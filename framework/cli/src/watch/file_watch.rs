//! The files that are saved in a workspace: a burst of events is one change.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use notify::{
    Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher,
    event::{AccessKind, AccessMode, ModifyKind},
};

/// A change is complete when no event has come for this time: an editor saves a file in several steps.
const QUIET: Duration = Duration::from_millis(30);

/// A change is reported after this time even if events keep coming.
const MAX_BURST: Duration = Duration::from_millis(500);

/// Watches the workspace in `root`, except the folders `ignored` and hidden ones, until the result is dropped. `receive` gets the files of each
/// change, relative to `root`.
pub(super) fn watch(
    root: &Path,
    ignored: &[&Path],
    receive: impl Fn(BTreeSet<PathBuf>) + Send + 'static,
) -> io::Result<RecommendedWatcher> {
    let (sender, events) = mpsc::channel();
    let base = root.to_owned();
    let each = move |event: notify::Result<Event>| {
        let event = event.ok().filter(|event| is_save(event.kind));
        for path in event.into_iter().flat_map(|event| event.paths) {
            // The receiver ends after the watch.
            let _ended = sender.send(path.strip_prefix(&base).unwrap_or(&path).to_owned());
        }
    };
    let mut watcher = notify::recommended_watcher(each).map_err(io::Error::other)?;
    watcher.watch(root, RecursiveMode::NonRecursive).map_err(io::Error::other)?;
    for entry in fs::read_dir(root)? {
        let path = entry?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_dir() && !is_hidden && !ignored.contains(&&*path) {
            watcher.watch(&path, RecursiveMode::Recursive).map_err(io::Error::other)?;
        }
    }
    thread::spawn(move || {
        while let Some(files) = next_change(&events) {
            receive(files);
        }
    });
    Ok(watcher)
}

/// Whether files have another content after the event. Reading a file and changing its times are events, too.
fn is_save(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
        EventKind::Modify(ModifyKind::Metadata(_)) => false,
        EventKind::Any | EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_) => true,
        EventKind::Other => false,
    }
}

/// The files of the next change; `None` after the end of the watch.
fn next_change(events: &Receiver<PathBuf>) -> Option<BTreeSet<PathBuf>> {
    let mut files = BTreeSet::from([events.recv().ok()?]);
    let start = Instant::now();
    while start.elapsed() < MAX_BURST {
        match events.recv_timeout(QUIET) {
            Ok(file) => drop(files.insert(file)),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        }
    }
    Some(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_one_change_and_a_later_save_is_another() {
        let (sender, events) = mpsc::channel();
        let send = |name: &str| sender.send(PathBuf::from(name)).expect("received");
        let change = || next_change(&events).map(|files| files.into_iter().collect::<Vec<_>>());
        ["a", "b", "a"].into_iter().for_each(send);
        assert_eq!(change(), Some(vec!["a".into(), "b".into()]));
        send("c");
        assert_eq!(change(), Some(vec!["c".into()]));
        drop(sender);
        assert_eq!(change(), None);
    }

    #[test]
    fn a_saved_file_is_reported_relative_to_the_root_and_ignored_folders_are_not() {
        let root = tempfile::tempdir().expect("a folder");
        let root = root.path();
        for folder in ["target", ".git", "tasks/ring"] {
            fs::create_dir_all(root.join(folder)).expect("made");
        }
        let (sender, changes) = mpsc::channel();
        let receive = move |files| sender.send(files).expect("received");
        let _watch = watch(root, &[&root.join("target")], receive).expect("watched");
        for name in ["target/a", ".git/b", "tasks/ring/new"] {
            fs::write(root.join(name), "text").expect("written");
        }
        fs::rename(root.join("tasks/ring/new"), root.join("tasks/ring/lib.rs")).expect("renamed");
        // A slow machine may take the save for several changes.
        let next = || changes.recv_timeout(10 * QUIET);
        let mut seen = changes.recv_timeout(Duration::from_secs(10)).expect("a change");
        while let Ok(files) = next() {
            seen.extend(files);
        }
        assert!(seen.iter().all(|file| file.starts_with("tasks/ring")), "{seen:?}");
        assert!(seen.contains(Path::new("tasks/ring/lib.rs")), "{seen:?}");
        fs::read(root.join("tasks/ring/lib.rs")).expect("read");
        let after_reading = next();
        assert_eq!(after_reading, Err(RecvTimeoutError::Timeout), "reading is no save");
    }
}
