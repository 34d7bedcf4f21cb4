//! What disturbs a sample: processor time that was not given, and involuntary switches.
use rustix::time::{ClockId, clock_gettime};

/// Whose processor time is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// This thread's: a rank that is a thread.
    Thread,
    /// This process's: a rank that is a process, with all the threads it may have started.
    Process,
}

impl Whose {
    /// Processor time so far, in nanoseconds.
    pub(crate) fn cpu_ns(self) -> u64 {
        let clock = match self {
            Self::Thread => ClockId::ThreadCPUTime,
            Self::Process => ClockId::ProcessCPUTime,
        };
        let time = clock_gettime(clock);
        time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
    }
}

/// How often the system has taken the processor from this thread so far; 0 where it does not tell.
pub(crate) fn involuntary_switches() -> u64 {
    let status = std::fs::read_to_string("/proc/thread-self/status").unwrap_or_default();
    let count = status.lines().find_map(|line| line.strip_prefix("nonvoluntary_ctxt_switches:"));
    count.and_then(|count| count.trim().parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computing_takes_processor_time() {
        let before = Whose::Thread.cpu_ns();
        let start = crate::performance::clock::now();
        crate::performance::clock::spin_until(start + 2_000_000);
        assert!(Whose::Thread.cpu_ns() > before);
        assert!(Whose::Process.cpu_ns() > 0);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_system_tells_of_switches() {
        let first = involuntary_switches();
        assert!(involuntary_switches() >= first);
        let status = std::fs::read_to_string("/proc/thread-self/status").expect("Linux has it");
        assert!(status.contains("nonvoluntary_ctxt_switches:"));
    }
}
