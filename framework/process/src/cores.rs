//! How many cores this process may use: the measure of what is oversubscribed.

/// Cores this process may keep busy at once: its affinity mask cut down to its cgroup's CPU quota (v1 or v2), at least 1.
///
/// A rank that its launcher has bound to one core sees 1 here: ask before launching, in the process that launches.
pub fn usable_cores() -> usize {
    // The standard library does exactly this intersection on Linux; when it cannot tell, one core is the claim that
    // overstates nothing.
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Distinct physical cores among the usable ones: hardware threads of one core count once.
///
/// Where the system does not tell its topology every usable core counts as physical.
pub fn physical_cores() -> usize {
    match distinct_cores() {
        0 => usable_cores(),
        cores => cores.min(usable_cores()),
    }
}

/// Cores of this machine that are switched on, whatever this process is bound to: what the ranks of a launcher share.
///
/// Where the system does not tell, the usable ones.
pub fn node_cores() -> usize {
    let online = std::fs::read_to_string("/sys/devices/system/cpu/online");
    online.ok().and_then(|ranges| count_cpus(ranges.trim())).unwrap_or_else(usable_cores)
}

/// How many processors a list like `0-3,8` names, as the system writes them; `None` when it is no such list.
pub fn count_cpus(list: &str) -> Option<usize> {
    let count = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last) = (first.parse::<usize>().ok()?, last.parse::<usize>().ok()?);
        Some(last.checked_sub(first)? + 1)
    };
    list.split(',').map(count).sum()
}

/// Number of distinct sets of sibling threads among the CPUs of the affinity mask; 0 when unknown.
#[cfg(target_os = "linux")]
fn distinct_cores() -> usize {
    let Ok(mask) = rustix::thread::sched_getaffinity(None) else { return 0 };
    let siblings: std::collections::BTreeSet<String> = (0..rustix::thread::CpuSet::MAX_CPU)
        .filter(|&cpu| mask.is_set(cpu))
        .filter_map(|cpu| {
            let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
            std::fs::read_to_string(path).ok()
        })
        .collect();
    siblings.len()
}

#[cfg(not(target_os = "linux"))]
fn distinct_cores() -> usize {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_core_and_no_more_physical_ones_than_usable_ones() {
        assert!(physical_cores() >= 1);
        assert!(physical_cores() <= usable_cores());
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
