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

use wb_process::identity::start_time;

/// Takes the slot of `rank`; false when an earlier process of the same parent has it.
pub(crate) fn acquire(state: &Path, rank: usize) -> io::Result<bool> {
    let parent = parent_id();
    let start = start_time(parent);
    if start.is_some() {
        remove_stale(state);
    }
    let name = format!("slot-{parent}-{}-{rank}", start.unwrap_or_default());
    match OpenOptions::new().write(true).create_new(true).open(state.join(name)) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes the marks of parents that have ended: a mark must outlive the process that left it, so no other process does.
fn remove_stale(state: &Path) {
    let Ok(found) = fs::read_dir(state) else { return };
    for entry in found.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let mut parts = name.split('-');
        if parts.next() != Some("slot") {
            continue;
        }
        let parent = parts.next().and_then(|parent| parent.parse().ok()).and_then(start_time);
        if parent.as_deref() != parts.next() {
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
        let living = format!("slot-1-{}-0", start_time(1).expect("proc is mounted"));
        for name in [living.as_str(), "slot-1-0-0", "slot-4194305-17-3", "run-abc"] {
            fs::write(state.path().join(name), "").expect("writable");
        }
        assert!(acquire(state.path(), 0).expect("writable"));
        for (name, stays) in
            [(&*living, true), ("slot-1-0-0", false), ("slot-4194305-17-3", false), ("run-abc", true)]
        {
            assert_eq!(state.path().join(name).exists(), stays, "{name}");
        }
        assert!(!acquire(state.path(), 0).expect("writable"), "the own parent lives");
    }
}
