//! The number of cores that this process may use: more ranks than that are oversubscribed.

use std::collections::BTreeSet;
#[cfg(target_os = "linux")]
use std::path::Path;

/// The cores that this process may use at the same time: its affinity mask, limited by its cgroup's CPU quota (v1 or v2), at
/// least 1.
///
/// In a rank that its launcher has bound to one core this is 1: call it in the process that launches, before it launches.
pub fn usable_cores() -> usize {
    // The standard library computes exactly this on Linux. One core, the fallback, claims no parallelism.
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The distinct physical cores among the usable ones: hardware threads of one core count once.
///
/// Where the system does not report its topology every usable core counts as physical.
pub fn physical_cores() -> usize {
    limit_to_usable(distinct_cores(), usable_cores())
}

/// Unknown cores (0) are the usable ones; a quota can be smaller than the affinity mask.
fn limit_to_usable(distinct: usize, usable: usize) -> usize {
    if distinct == 0 { usable } else { distinct.min(usable) }
}

/// The cores of this machine that are online, whatever this process is bound to: the ranks of a launcher share them.
///
/// Where the system does not report them, the usable ones.
pub fn node_cores() -> usize {
    let online = std::fs::read_to_string("/sys/devices/system/cpu/online");
    online.ok().and_then(|ranges| count_cpus(ranges.trim())).unwrap_or_else(usable_cores)
}

/// The number of processors in a list like `0-3,8`, as the system writes them; `None` if the text is not such a list.
pub fn count_cpus(list: &str) -> Option<usize> {
    let count = |(first, last): (usize, usize)| Some(last.checked_sub(first)? + 1);
    list.split(',').map(|range| count(cpu_range(range)?)).sum()
}

/// The processors of a list like `0-3,8`; `None` if the text is not such a list.
pub fn parse_cpus(list: &str) -> Option<BTreeSet<usize>> {
    let mut cpus = BTreeSet::new();
    for range in list.split(',') {
        let (first, last) = cpu_range(range).filter(|(_, last)| *last < CPUS_MAX)?;
        cpus.extend(first..=last);
    }
    Some(cpus)
}

/// Linux has fewer processors.
const CPUS_MAX: usize = 1 << 16;

fn cpu_range(range: &str) -> Option<(usize, usize)> {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    Some((first.parse().ok()?, last.parse().ok()?))
}

/// The number of distinct cores in the affinity mask; 0 if unknown.
fn distinct_cores() -> usize {
    cores_of_this_thread().len()
}

/// The cores that the calling thread may use, each as the list of its hardware threads; none where the system does not report its
/// topology.
#[cfg(target_os = "linux")]
pub fn cores_of_this_thread() -> BTreeSet<String> {
    topology(Path::new(CPUS), CORE, allowed_cpus())
}

/// The numbers of the sockets of the processors that the calling thread may use; none where the system does not report its topology.
#[cfg(target_os = "linux")]
pub fn sockets_of_this_thread() -> BTreeSet<usize> {
    let names = topology(Path::new(CPUS), SOCKET, allowed_cpus());
    names.iter().filter_map(|name| name.parse().ok()).collect()
}

/// The folder of the processors, and the files that identify the core and the socket of each.
#[cfg(target_os = "linux")]
const CPUS: &str = "/sys/devices/system/cpu";
#[cfg(target_os = "linux")]
const CORE: &str = "thread_siblings_list";
#[cfg(target_os = "linux")]
const SOCKET: &str = "physical_package_id";

/// The processors of the calling thread's affinity mask.
#[cfg(target_os = "linux")]
fn allowed_cpus() -> Vec<usize> {
    let Ok(mask) = rustix::thread::sched_getaffinity(None) else { return vec![] };
    (0..rustix::thread::CpuSet::MAX_CPU).filter(|&cpu| mask.is_set(cpu)).collect()
}

/// The distinct units of these processors, each by the content of its file below `folder`.
#[cfg(target_os = "linux")]
fn topology(folder: &Path, unit: &str, cpus: impl IntoIterator<Item = usize>) -> BTreeSet<String> {
    let name = |cpu: usize| {
        let file = folder.join(format!("cpu{cpu}/topology/{unit}"));
        Some(std::fs::read_to_string(file).ok()?.trim().to_owned())
    };
    cpus.into_iter().filter_map(name).collect()
}

#[cfg(not(target_os = "linux"))]
pub fn cores_of_this_thread() -> BTreeSet<String> {
    BTreeSet::new()
}

#[cfg(not(target_os = "linux"))]
pub fn sockets_of_this_thread() -> BTreeSet<usize> {
    BTreeSet::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_core_and_no_more_physical_ones_than_usable_ones() {
        assert!((1..=usable_cores()).contains(&physical_cores()));
        for (distinct, usable, physical) in [(0, 4, 4), (2, 4, 2), (4, 4, 4), (8, 4, 4)] {
            assert_eq!(limit_to_usable(distinct, usable), physical, "{distinct} {usable}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn hardware_threads_of_one_core_count_once() {
        let folder = tempfile::tempdir().expect("a folder");
        for (cpu, siblings) in [(0, "0,2"), (1, "1,3"), (2, "0,2"), (3, "1,3"), (5, "5")] {
            let topology = folder.path().join(format!("cpu{cpu}/topology"));
            std::fs::create_dir_all(&topology).expect("a folder");
            std::fs::write(topology.join("thread_siblings_list"), siblings).expect("a file");
        }
        for (cpus, cores) in [(&[0, 1, 2, 3][..], 2), (&[0, 2], 1), (&[1, 2, 5], 3), (&[7], 0), (&[], 0)] {
            assert_eq!(topology(folder.path(), CORE, cpus.iter().copied()).len(), cores, "{cpus:?}");
        }
    }

    #[test]
    fn lists_of_ranges_are_counted() {
        assert_eq!(count_cpus("0-3,8"), Some(5));
        assert_eq!(count_cpus("0"), Some(1));
        assert_eq!(count_cpus(""), None);
        assert_eq!(count_cpus("3-1"), None);
        assert!(node_cores() >= usable_cores());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_bound_to_one_cpu_has_one_usable_core() {
        let counted = std::thread::spawn(|| {
            let mut first = rustix::thread::CpuSet::new();
            let mask = rustix::thread::sched_getaffinity(None).expect("own affinity");
            let cpu = (0..rustix::thread::CpuSet::MAX_CPU).find(|&cpu| mask.is_set(cpu)).expect("a cpu");
            first.set(cpu);
            rustix::thread::sched_setaffinity(None, &first).expect("binding this thread");
            (usable_cores(), physical_cores())
        });
        assert_eq!(counted.join().expect("the bound thread"), (1, 1));
    }
}
