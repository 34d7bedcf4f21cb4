//! Disturbances of a sample: processor time that was not available, and involuntary switches.
use rustix::time::{ClockId, clock_gettime};
use wb_process::thread_cpu_ns;

/// The scope of the processor time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CpuScope {
    /// This thread, for a rank that is a thread.
    Thread,
    /// This process with all its threads, for a rank that is a process.
    Process,
}

impl CpuScope {
    /// The processor time so far, in nanoseconds.
    pub(crate) fn cpu_ns(self) -> u64 {
        self.reader()()
    }

    /// The function that reads it.
    pub(crate) fn reader(self) -> fn() -> u64 {
        match self {
            Self::Thread => thread_cpu_ns,
            Self::Process => own_process_cpu_ns,
        }
    }
}

/// This process's own clock is read in every repetition, without the search for another process.
fn own_process_cpu_ns() -> u64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// The scheduling statistics of this thread so far; `None` where the system does not report them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SchedulingCounters {
    /// The number of times that the system took the processor from the thread.
    involuntary: Option<u64>,
    /// The number of times that the thread released the processor to wait.
    voluntary: Option<u64>,
    /// The time in which the thread was ready to run without a processor.
    queued_ns: Option<u64>,
}

impl SchedulingCounters {
    /// The statistics of this thread.
    pub(crate) fn now() -> Self {
        let read =
            |file: &str| std::fs::read_to_string(format!("/proc/thread-self/{file}")).unwrap_or_default();
        let (status, statistics) = (read("status"), read("schedstat"));
        let count = |name: &str| status.lines().find_map(|line| line.strip_prefix(name))?.trim().parse().ok();
        Self {
            involuntary: count("nonvoluntary_ctxt_switches:"),
            voluntary: count("voluntary_ctxt_switches:"),
            queued_ns: statistics.split_whitespace().nth(1).and_then(|ns| ns.parse().ok()),
        }
    }

    /// Involuntary switches since `before`; 0 where the system does not report them.
    pub(crate) fn involuntary_since(self, before: Self) -> u64 {
        difference(self.involuntary, before.involuntary).unwrap_or(0)
    }

    /// The part of `idle_ns` without a processor since `before` in which another program had it. A thread that never
    /// released the processor lost all of it to others, also where only the hypervisor knows of it.
    pub(crate) fn queued_since(self, before: Self, idle_ns: u64) -> Option<u64> {
        match difference(self.voluntary, before.voluntary) {
            Some(0) => Some(idle_ns),
            _ => difference(self.queued_ns, before.queued_ns),
        }
    }
}

fn difference(now: Option<u64>, before: Option<u64>) -> Option<u64> {
    now?.checked_sub(before?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computing_takes_processor_time() {
        let before = CpuScope::Thread.cpu_ns();
        let start = wb_runner::clock::now();
        wb_runner::clock::spin_until(start + 2_000_000);
        assert!(CpuScope::Thread.cpu_ns() > before);
        assert!(CpuScope::Process.cpu_ns() > 0);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_system_tells_of_switches_and_a_sleep_is_one() {
        let before = SchedulingCounters::now();
        assert!(before.involuntary.is_some());
        assert_eq!(before.queued_since(before, 7), Some(7), "the processor was never given up");
        std::thread::sleep(std::time::Duration::from_millis(1));
        let after = SchedulingCounters::now();
        assert!(after.involuntary_since(before) < 1_000);
        assert!(after.voluntary > before.voluntary);
        assert_eq!(after.queued_since(before, u64::MAX), difference(after.queued_ns, before.queued_ns));
    }

    #[test]
    fn what_the_system_does_not_say_is_unknown() {
        let silent = SchedulingCounters::default();
        assert_eq!((silent.involuntary_since(silent), silent.queued_since(silent, 7)), (0, None));
    }
}
