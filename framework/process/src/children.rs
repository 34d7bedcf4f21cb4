//! Processes that this one started and did not wait for.
//!
//! A [subreaper](become_subreaper) becomes the parent of every descendant whose own parent has ended, also of one that
//! has left its session and group (`setsid`, a daemon). So every remaining process can be named and ended when the work
//! is done.

use std::{
    collections::BTreeSet,
    fmt, fs, io, thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

use crate::{
    identity::{ProcessIdentity, Stat},
    launcher_rank::launcher_rank_of,
};

/// The time limit for the end of a killed process.
const KILL_TIMEOUT: Duration = Duration::from_secs(1);

/// The number of searches for descendants of killed processes.
const MAX_ROUNDS: usize = 64;

/// A process that was left running, and was ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftoverProcess {
    /// The identifier of the process.
    pub pid: u32,
    /// The name of its program.
    pub name: String,
}

impl fmt::Display for LeftoverProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (process {})", self.name, self.pid)
    }
}

/// Makes descendants whose parent has ended children of this process.
///
/// # Errors
/// When the kernel refuses.
#[cfg(target_os = "linux")]
pub fn become_subreaper() -> io::Result<()> {
    // SAFETY: PR_SET_CHILD_SUBREAPER takes one integer and writes no memory.
    match unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Does nothing: this system has no subreapers.
///
/// # Errors
/// None on this system.
#[cfg(not(target_os = "linux"))]
pub fn become_subreaper() -> io::Result<()> {
    Ok(())
}

/// The children of this process, which [`kill_others`] can keep. Empty where the system does not report them.
pub fn current_children() -> BTreeSet<u32> {
    children_of(std::process::id())
}

fn children_of(pid: u32) -> BTreeSet<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return BTreeSet::new() };
    let lists =
        threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>())
        .collect()
}

/// All processes below another one, as they are now.
pub(crate) fn below(pid: Pid) -> Vec<ProcessIdentity> {
    let mut found: Vec<u32> = children_of(pid.as_raw_nonzero().get().cast_unsigned()).into_iter().collect();
    let mut next = 0;
    while let Some(&pid) = found.get(next) {
        found.extend(children_of(pid));
        next += 1;
    }
    found.into_iter().filter_map(ProcessIdentity::of).collect()
}

/// Whether a signal has stopped the process (SIGSTOP).
pub fn is_stopped(pid: u32) -> bool {
    Stat::of(pid).is_some_and(|stat| stat.is_stopped())
}

/// The stopped processes of a job: the rank that a launcher has given to each, if one has.
pub fn stopped_ranks(job: u32) -> BTreeSet<Option<usize>> {
    let below = Pid::from_raw(job.cast_signed()).map_or_else(Vec::new, below);
    let all = below.iter().map(ProcessIdentity::number).chain([job]);
    all.filter(|pid| is_stopped(*pid)).map(|pid| Some(launcher_rank_of(pid)?.rank)).collect()
}

/// Kills a process, if it still runs.
pub(crate) fn kill(process: &ProcessIdentity) {
    if let Some(pid) = Pid::from_raw(process.number().cast_signed()).filter(|_| !process.has_ended()) {
        // It may end in this moment.
        let _gone = kill_process(pid, Signal::KILL);
    }
}

/// Kills every child that runs and is not in `kept`, and every process below it; names the children.
pub fn kill_others(kept: &BTreeSet<u32>) -> Vec<LeftoverProcess> {
    let (mut ended, mut seen) = (vec![], BTreeSet::new());
    for _ in 0..MAX_ROUNDS {
        // The children of a process that was killed or has ended are children of this process now.
        let children = current_children();
        let left: Vec<_> = children
            .iter()
            .filter(|pid| !kept.contains(pid))
            .filter_map(|pid| running_process(*pid))
            .collect();
        if left.is_empty() && children == seen {
            break;
        }
        seen = children;
        left.iter().for_each(|process| kill_and_reap(process.pid));
        ended.extend(left);
    }
    ended
}

/// The process, if it runs: a zombie is harmless.
fn running_process(pid: u32) -> Option<LeftoverProcess> {
    let stat = Stat::of(pid).filter(|stat| !stat.has_ended())?;
    Some(LeftoverProcess { pid, name: stat.name()?.to_owned() })
}

fn kill_and_reap(pid: u32) {
    let Some(child) = Pid::from_raw(pid.cast_signed()) else { return };
    // It may have ended meanwhile.
    let _gone = kill_process(child, Signal::KILL);
    let start = Instant::now();
    while start.elapsed() < KILL_TIMEOUT {
        match waitid(WaitId::Pid(child), WaitIdOptions::EXITED | WaitIdOptions::NOHANG) {
            Ok(None) => thread::sleep(Duration::from_millis(1)),
            // Reaped, here or by another thread.
            Ok(Some(_)) | Err(_) => return,
        }
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    /// One test: children are those of the whole process.
    #[test]
    fn children_are_ended_with_what_is_below_them_and_known_ones_are_not() {
        become_subreaper().expect("Linux can");
        let mut kept = Command::new("sleep").arg("60").stdin(Stdio::null()).spawn().expect("a process");
        let before = current_children();
        assert!(before.contains(&kept.id()));
        // A daemon: its parent ends immediately, and it has left the session.
        let mut shell = Command::new("sh");
        shell.args(["-c", "setsid sleep 61 & exit 0"]).stdin(Stdio::null());
        assert!(shell.status().expect("a shell").success());
        let mut plain = Command::new("sleep").arg("62").stdin(Stdio::null()).spawn().expect("a process");
        // The daemon is a shell until it has become `sleep`.
        let sleeps = || {
            current_children()
                .difference(&before)
                .filter_map(|pid| running_process(*pid))
                .filter(|p| p.name == "sleep")
                .count()
        };
        let start = Instant::now();
        while sleeps() < 2 && start.elapsed() < Duration::from_secs(10) {
            thread::sleep(Duration::from_millis(1));
        }
        let left = kill_others(&before);
        assert_eq!(left.iter().map(|left| left.name.as_str()).collect::<Vec<_>>(), ["sleep"; 2]);
        for process in &left {
            assert_eq!(running_process(process.pid), None);
        }
        let still_running = running_process(kept.id()).map(|process| process.name);
        assert_eq!(still_running.as_deref(), Some("sleep"));
        kept.kill().expect("it runs");
        kept.wait().expect("its end");
        let _collected_already = plain.wait();
    }
}
