//! The rank slot of an outer launcher: of the processes that one cargo starts in it, one may join the job.
//!
//! `cargo test` starts a process for every test target. MPI libraries let one process a slot initialise, and the second
//! one dies. So the first process that needs the slot leaves a mark, by the identity of its parent.
use std::{
    fs::{self, OpenOptions},
    io,
    os::unix::process::parent_id,
    path::Path,
};

use wb_process::ProcessIdentity;

/// Takes the slot of `rank`; false when an earlier process of the same parent has it.
///
/// # Errors
/// When the folder cannot be written, or the parent has ended.
pub(crate) fn acquire(state: &Path, rank: usize) -> io::Result<bool> {
    remove_stale(state);
    let ended = || io::Error::other("the process that started this one has ended");
    let name = slot_name(&ProcessIdentity::of(parent_id()).ok_or_else(ended)?, rank);
    match OpenOptions::new().write(true).create_new(true).open(state.join(name)) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// The name of the mark of a parent's rank. Processes of several hosts share the folder.
fn slot_name(parent: &ProcessIdentity, rank: usize) -> String {
    format!("slot-{parent}-{rank}")
}

/// The parent whose mark has this name.
fn parent_of(name: &str) -> Option<ProcessIdentity> {
    let (parent, _) = name.strip_prefix("slot-")?.rsplit_once('-')?;
    parent.parse().ok()
}

/// Removes the marks of parents that have ended: a mark must outlive the process that left it, so no other process does.
fn remove_stale(state: &Path) {
    let Ok(found) = fs::read_dir(state) else { return };
    for entry in found.flatten() {
        let parent = parent_of(&entry.file_name().to_string_lossy());
        if parent.is_some_and(|parent| parent.has_ended()) {
            let _gone_already = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_taken_once() {
        let state = tempfile::tempdir().expect("a folder");
        assert!(acquire(state.path(), 0).expect("writable"));
        assert!(!acquire(state.path(), 0).expect("writable"));
        assert!(acquire(state.path(), 1).expect("writable"), "another rank has its own slot");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn marks_of_ended_parents_go_and_those_of_living_ones_stay() {
        let state = tempfile::tempdir().expect("a folder");
        let own = ProcessIdentity::of(parent_id()).expect("it runs");
        let (_, table) =
            own.to_string().rsplit_once('-').map(|(a, b)| (a.to_owned(), b.to_owned())).expect("parts");
        let marks = [
            (slot_name(&own, 7), true),
            (format!("slot-{}-0-{table}-0", own.number()), false),
            (format!("slot-4194305-17-{table}-3"), false),
            // Of a parent on another host, which is not visible here.
            ("slot-4194305-17-a1da45f3.4026532000-3".to_owned(), true),
            ("run-abc".to_owned(), true),
        ];
        for (name, _) in &marks {
            fs::write(state.path().join(name), "").expect("writable");
        }
        assert!(acquire(state.path(), 0).expect("writable"));
        for (name, stays) in &marks {
            assert_eq!(state.path().join(name).exists(), *stays, "{name}");
        }
        assert!(!acquire(state.path(), 0).expect("writable"), "the own parent lives");
    }
}
