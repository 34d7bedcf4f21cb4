//! The processors of a node, whatever a launcher has bound a rank to.
use std::{sync::LazyLock, thread};

#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_setaffinity};

/// The number of processors that cpusets and the CPU quota (cgroups v1 and v2, at every level up to the root) permit at the same time,
/// whatever this process is bound to. It is determined once.
pub fn permitted_parallelism() -> usize {
    // The standard library computes exactly this for a thread without a binding. One processor claims no parallelism.
    static PERMITTED: LazyLock<usize> =
        LazyLock::new(|| unbound(|| thread::available_parallelism().map_or(1, usize::from)));
    *PERMITTED
}

/// The result of `of` in a thread that may run on every processor that the system permits.
pub fn unbound<T: Send>(of: impl FnOnce() -> T + Send) -> T {
    let lifted = || {
        #[cfg(target_os = "linux")]
        {
            let mut all = CpuSet::new();
            (0..CpuSet::MAX_CPU).for_each(|cpu| all.set(cpu));
            // The system removes the processors that do not exist or are not permitted.
            let _binding_stays = sched_setaffinity(None, &all);
        }
        of()
    };
    thread::scope(|scope| scope.spawn(lifted).join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
