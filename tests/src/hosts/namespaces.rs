//! Namespaces by their processes: the command that enters those of a process, and the processes that are in a namespace.
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    os::fd::AsRawFd,
    process::Command,
};

use super::programs::search_path;

/// The kinds of namespaces of a host, as in `/proc/PID/ns`.
const KINDS: [&str; 5] = ["net", "uts", "mnt", "pid", "ipc"];

/// A process of a host, as this process sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostProcess {
    /// The number of the process here; on its host it has another one.
    pub pid: u32,
    /// The name of its program.
    pub name: String,
    /// The command line of the process.
    pub arguments: Vec<String>,
}

impl HostProcess {
    /// The process, if it runs: a zombie is harmless.
    pub fn of(pid: u32) -> Option<Self> {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let field = |name| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim_start);
        if field("State:")?.starts_with(['Z', 'X']) {
            return None;
        }
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words = line.split(|&byte| byte == 0).filter(|word| !word.is_empty());
        let arguments = words.map(|word| String::from_utf8_lossy(word).into_owned()).collect();
        Some(Self { pid, name: field("Name:")?.to_owned(), arguments })
    }
}

/// The command `nsenter` for all namespaces of this process.
pub(super) fn enter(pid: u32) -> Command {
    let mut command = Command::new("nsenter");
    command.env("PATH", search_path());
    command.args(["--target", &pid.to_string(), "--mount", "--uts", "--ipc", "--net", "--pid", "--"]);
    command
}

/// Namespaces of processes, by name: `pid:[4026532281]`. They are held open, since the kernel gives the number of a
/// namespace that has ended to the next one, which may be that of another set.
#[derive(Debug)]
pub struct Namespaces(BTreeMap<String, File>);

impl Namespaces {
    /// The namespaces of these processes that are not those of this process.
    pub fn of(pids: impl IntoIterator<Item = u32>) -> Self {
        let ours = links(std::process::id());
        let opened = pids.into_iter().flat_map(|pid| {
            KINDS.into_iter().filter_map(move |kind| File::open(format!("/proc/{pid}/ns/{kind}")).ok())
        });
        let named = opened.filter_map(|file| {
            let name = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()?;
            Some((name.to_string_lossy().into_owned(), file))
        });
        Self(named.filter(|(name, _)| !ours.contains(name)).collect())
    }

    /// The names of the namespaces.
    pub fn names(&self) -> BTreeSet<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    /// The processes that are in one of these namespaces.
    pub fn processes(&self) -> Vec<HostProcess> {
        processes_where(|pid| links(pid).iter().any(|name| self.0.contains_key(name)))
    }
}

/// The processes in the pid namespace of a process.
pub(super) fn processes_beside(pid: u32) -> Vec<HostProcess> {
    let namespace = link(pid, "pid");
    processes_where(|other| namespace.is_some() && link(other, "pid") == namespace)
}

fn processes_where(is_meant: impl Fn(u32) -> bool) -> Vec<HostProcess> {
    all_processes().filter(|&pid| is_meant(pid)).filter_map(HostProcess::of).collect()
}

/// All processes below this one.
pub fn descendants(pid: u32) -> Vec<u32> {
    let mut found = children(pid);
    let mut next = 0;
    while let Some(&pid) = found.get(next) {
        found.extend(children(pid));
        next += 1;
    }
    found
}

/// The children of a process.
pub(super) fn children(pid: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>())
        .collect()
}

fn links(pid: u32) -> BTreeSet<String> {
    KINDS.into_iter().filter_map(|kind| link(pid, kind)).collect()
}

fn link(pid: u32, kind: &str) -> Option<String> {
    let target = fs::read_link(format!("/proc/{pid}/ns/{kind}")).ok()?;
    Some(target.to_string_lossy().into_owned())
}

fn all_processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}
