//! The rank slot of an outer launcher: of the processes that one cargo starts in it, one may join the job.
//!
//! `cargo test` starts a process for every test target. MPI libraries let one process a slot initialise, and the second
//! one dies. So the first process that needs the slot leaves a mark, by the identity of whoever started it.
use std::{
    fs::{self, OpenOptions},
    io,
    os::unix::process::parent_id,
    path::Path,
};

/// Takes the slot of `rank`; false when an earlier process of the same parent has it.
pub(super) fn take(state: &Path, rank: usize) -> io::Result<bool> {
    let parent = parent_id();
    let name = format!("slot-{parent}-{}-{rank}", started(parent).unwrap_or_default());
    match OpenOptions::new().write(true).create_new(true).open(state.join(name)) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// When a process was started, in the kernel's ticks since boot: numbers of processes come again, with another start.
fn started(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the program's name in parentheses and may contain anything; the 22nd is the start.
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_whitespace().nth(19).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_taken_once() {
        let state = tempfile::tempdir().expect("a folder");
        assert!(take(state.path(), 0).expect("writable"));
        assert!(!take(state.path(), 0).expect("writable"));
        assert!(take(state.path(), 1).expect("writable"), "another rank has its own slot");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_has_one_start() {
        let own = started(std::process::id()).expect("proc is mounted");
        assert!(own.bytes().all(|byte| byte.is_ascii_digit()) && own != "0", "{own}");
        assert_eq!(started(std::process::id()), Some(own));
    }
}
