//! The cores on which ranks run at the same time: more ranks than that are oversubscribed.
//!
//! [`usable_cpus`] decides for this host (for jobs on several hosts see `wb_runner::launch`): affinity mask, cpuset, CPU quota of cgroups, and cores rather than hardware threads.

use std::{collections::BTreeSet, path::Path};

#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity};
pub use wb_comm::cores::permitted_parallelism;
use wb_comm::cores::unbound;

/// The processors for the ranks that this process starts: one of each core of its affinity mask, by number, as many as the CPU quota of
/// its cgroups permits, at least one.
///
/// Where the system does not report its topology every processor is a core. In a rank that its launcher has bound to one core this is that
/// core: call it in the process that launches, before it launches.
pub fn usable_cpus() -> Vec<usize> {
    one_of_each_core(Path::new(CPUS), allowed_cpus(), permitted_parallelism())
}

/// The number of [`usable_cpus`].
pub fn usable_cores() -> usize {
    usable_cpus().len()
}

/// The cores of the affinity mask, whatever the quota.
pub fn physical_cores() -> usize {
    one_of_each_core(Path::new(CPUS), allowed_cpus(), usize::MAX).len()
}

/// As [`usable_cpus`] of this machine, whatever this process is bound to: the ranks of its launcher share them.
pub fn node_cpus() -> Vec<usize> {
    unbound(usable_cpus)
}

/// The processors of the affinity mask, if it is smaller than the system permits: a launcher that binds its ranks ignores such a mask.
pub fn restricted_cpus() -> Option<BTreeSet<usize>> {
    let mask = allowed_cpus();
    (mask.len() < unbound(allowed_cpus).len()).then(|| mask.into_iter().collect())
}

/// The first of these processors of each core whose topology is in `folder`, at most `quota` and at least one.
fn one_of_each_core(folder: &Path, cpus: Vec<usize>, quota: usize) -> Vec<usize> {
    let mut cores = BTreeSet::new();
    let is_first = |cpu: &usize| unit(folder, CORE, *cpu).is_none_or(|core| cores.insert(core));
    cpus.into_iter().filter(is_first).take(quota.max(1)).collect()
}

/// The processors of a list like `0-3,8`; `None` if the text is not such a list.
pub fn parse_cpus(list: &str) -> Option<BTreeSet<usize>> {
    let mut cpus = BTreeSet::new();
    for range in list.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        cpus.extend(Some(first..=last).filter(|range| !range.is_empty() && last < CPUS_MAX)?);
    }
    Some(cpus)
}

/// Linux has fewer processors.
const CPUS_MAX: usize = 1 << 16;

/// The cores that the calling thread may use, each as the list of its hardware threads; none where the system does not report its
/// topology.
pub fn cores_of_this_thread() -> BTreeSet<String> {
    allowed_cpus().into_iter().filter_map(|cpu| unit(Path::new(CPUS), CORE, cpu)).collect()
}

/// The numbers of the sockets of the processors that the calling thread may use; none where the system does not report its topology.
pub fn sockets_of_this_thread() -> BTreeSet<usize> {
    allowed_cpus().into_iter().filter_map(|cpu| unit(Path::new(CPUS), SOCKET, cpu)?.parse().ok()).collect()
}

/// The folder of the processors, and the files that identify the core and the socket of each.
const CPUS: &str = "/sys/devices/system/cpu";
const CORE: &str = "thread_siblings_list";
const SOCKET: &str = "physical_package_id";

/// The processors of the calling thread's affinity mask, by number.
#[cfg(target_os = "linux")]
fn allowed_cpus() -> Vec<usize> {
    let Ok(mask) = sched_getaffinity(None) else { return vec![0] };
    (0..CpuSet::MAX_CPU).filter(|&cpu| mask.is_set(cpu)).collect()
}

/// The processors of this machine: only Linux reports those that a process may run on.
#[cfg(not(target_os = "linux"))]
fn allowed_cpus() -> Vec<usize> {
    (0..std::thread::available_parallelism().map_or(1, usize::from)).collect()
}

/// The core or socket of a processor, by the content of its file below `folder`.
fn unit(folder: &Path, unit: &str, cpu: usize) -> Option<String> {
    let file = folder.join(format!("cpu{cpu}/topology/{unit}"));
    Some(std::fs::read_to_string(file).ok()?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use std::thread;

    use rustix::thread::sched_setaffinity;

    use super::*;

    #[test]
    fn hardware_threads_of_one_core_count_once_and_a_quota_limits_the_cores() {
        let folder = tempfile::tempdir().expect("a folder");
        for (cpu, siblings) in [(0, "0,2"), (1, "1,3"), (2, "0,2"), (3, "1,3"), (5, "5")] {
            let topology = folder.path().join(format!("cpu{cpu}/topology"));
            std::fs::create_dir_all(&topology).expect("a folder");
            std::fs::write(topology.join("thread_siblings_list"), siblings).expect("a file");
        }
        for (cpus, quota, found) in [
            (&[0, 1, 2, 3][..], 8, &[0, 1][..]),
            (&[0, 2], 8, &[0]),
            (&[1, 2, 5], 8, &[1, 2, 5]),
            (&[1, 2, 5], 2, &[1, 2]),
            (&[0, 1], 0, &[0]),
            (&[6, 7], 8, &[6, 7]),
        ] {
            assert_eq!(one_of_each_core(folder.path(), cpus.to_vec(), quota), found, "{cpus:?} {quota}");
        }
    }

    #[test]
    fn lists_of_ranges_are_read() {
        assert_eq!(parse_cpus("0-2,8"), Some([0, 1, 2, 8].into()));
        assert_eq!(["", "3-1", "x", "0-65536"].map(parse_cpus), [None, None, None, None]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_bound_to_one_cpu_has_one_usable_core_of_those_that_the_node_has() {
        let node = unbound(|| (usable_cpus(), physical_cores(), allowed_cpus().len()));
        let bound = thread::spawn(move || {
            let mut one = CpuSet::new();
            let last = *allowed_cpus().last().expect("a cpu");
            one.set(last);
            sched_setaffinity(None, &one).expect("binding this thread");
            assert_eq!((usable_cpus(), physical_cores()), (vec![last], 1));
            (restricted_cpus(), node_cpus(), permitted_parallelism(), last)
        });
        let (restricted, cpus, permitted, last) = bound.join().expect("the bound thread");
        assert_eq!(restricted, (node.2 > 1).then(|| [last].into()));
        assert!(cpus == node.0 && permitted >= cpus.len() && node.1 >= cpus.len(), "{cpus:?} {node:?}");
        assert_eq!(unbound(restricted_cpus), None);
    }
}
