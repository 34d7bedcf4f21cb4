//! Ends a sandbox whose processes together use more memory than they may.
//!
//! The kernel limits the memory of each process; a limit of all together needs control groups, which are not available to every
//! user. So the memory is read from outside, where no program of the sandbox reaches the reader. Counted is what belongs to no
//! file: shared memory is in file systems with a size, and there is no other (see `system_calls`).
use std::{
    collections::BTreeSet,
    fs,
    io::{self, BufRead, BufReader, PipeReader},
    thread,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal},
};
use serde_json::Value;
use wb_messages::{Lang, judge as text};

use crate::sandbox::{ExcessReport, MemoryExcess};

/// The interval of checks: in it a processor fills less than half a gigabyte.
const INTERVAL: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// The lines of `/proc/PID/status` with memory that belongs to no file, and of the tables that describe memory.
const PRIVATE: [&str; 3] = ["RssAnon:", "VmSwap:", "VmPTE:"];

/// The same in `/proc/PID/smaps_rollup`, where a page that several processes have is divided among them.
const DIVIDED: [&str; 2] = ["Pss_Anon:", "SwapPss:"];

/// Watches the sandbox whose bubblewrap describes itself on `status` (`--info-fd`), until it ends. Leaves the reason in `excess` where
/// the watch ends it.
///
/// # Errors
/// When there can be no more threads.
pub(crate) fn start(status: PipeReader, limit: u64, excess: ExcessReport) -> io::Result<()> {
    let watch = move || {
        if let Some(first) = first_process(status) {
            watch(first, limit, &excess);
        }
    };
    thread::Builder::new().name("wb-sandbox-memory".into()).spawn(watch)?;
    Ok(())
}

/// The first process inside; nothing if there was no sandbox.
fn first_process(status: PipeReader) -> Option<Pid> {
    let mut described = String::new();
    for line in BufReader::new(status).lines() {
        described += &line.ok()?;
        if let Ok(description) = serde_json::from_str::<Value>(&described) {
            return Pid::from_raw(i32::try_from(description.get("child-pid")?.as_i64()?).ok()?);
        }
    }
    None
}

fn watch(first: Pid, limit: u64, excess: &ExcessReport) {
    // All other processes end with the first one. The descriptor names it also when its number is another process's.
    let Ok(process) = pidfd_open(first, PidfdFlags::empty()) else { return };
    let number = first.as_raw_nonzero().get().cast_unsigned();
    while poll(&mut [PollFd::new(&process, PollFlags::IN)], Some(&INTERVAL)) == Ok(0) {
        let processes = with_descendants(number);
        let used: u64 = processes.iter().filter_map(|pid| memory(*pid, "status", &PRIVATE)).sum();
        if used > limit && processes.iter().map(|pid| divided_memory(*pid)).sum::<u64>() > limit {
            let each = processes.iter().map(|pid| (divided_memory(*pid), *pid));
            let (used_by_largest, largest) = each.max().unwrap_or_default();
            // Before its end, so that who notices the end finds the reason.
            let _first = excess.set(MemoryExcess { used, limit, largest, used_by_largest });
            let _ended_already = pidfd_send_signal(&process, Signal::KILL);
            eprintln!("{}", text::sandbox_memory(Lang::from_environment(), used >> 20, limit >> 20));
            return;
        }
    }
}

/// A process and all below it.
fn with_descendants(first: u32) -> BTreeSet<u32> {
    let (mut found, mut next) = (BTreeSet::new(), vec![first]);
    while let Some(process) = next.pop() {
        if found.insert(process) {
            next.extend(children(process));
        }
    }
    found
}

/// The children of all threads of a process.
fn children(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>())
        .collect()
}

/// The memory of a process without what other processes count. A process may hide how it is divided.
fn divided_memory(process: u32) -> u64 {
    let divided = memory(process, "smaps_rollup", &DIVIDED);
    divided.or_else(|| memory(process, "status", &PRIVATE)).unwrap_or(0)
}

/// The sum of these lines of a file of a process, in bytes; nothing if the file cannot be read.
fn memory(process: u32, file: &str, lines: &[&str]) -> Option<u64> {
    Some(sum_of_lines(&fs::read_to_string(format!("/proc/{process}/{file}")).ok()?, lines))
}

/// The sum of these lines, which are in units of 1024 bytes.
fn sum_of_lines(text: &str, lines: &[&str]) -> u64 {
    let value = |line: &str| {
        let rest = lines.iter().find_map(|name| line.strip_prefix(name))?;
        rest.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    };
    text.lines().filter_map(value).map(|kilobytes| kilobytes << 10).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_lines_are_summed() {
        let status =
            "Name:\tx\nVmPTE:\t      4 kB\nVmSwap:\t 2 kB\nRssAnon:\t    10 kB\nRssFile:\t 1000 kB\n";
        assert_eq!(sum_of_lines(status, &PRIVATE), 16 << 10);
        assert_eq!(sum_of_lines("Pss_Anon:   3 kB\nPss_File: 9 kB\nSwapPss: 0 kB\n", &DIVIDED), 3 << 10);
    }

    #[test]
    fn a_process_has_memory_and_counts_among_its_parents_descendants() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().expect("a process");
        let processes = with_descendants(std::process::id());
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        assert!(processes.contains(&child.id()), "{processes:?}");
        for (file, lines) in [("status", &PRIVATE[..]), ("smaps_rollup", &DIVIDED[..])] {
            assert!(memory(std::process::id(), file, lines) > Some(64 << 10), "{file}");
        }
    }
}
