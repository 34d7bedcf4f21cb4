//! Measures the processor time of the ranks' own code, where computation is charged as measured.
//!
//! The timer runs while a rank's own code runs: from the release of the shared state, or the resumption of the rank,
//! until the state is locked again. The simulator's own work and the time of other ranks are not charged, and neither is the time
//! for which other programs have the processor.
use std::cell::Cell;

use rustix::time::{ClockId, clock_gettime};

/// The timer of one job, in which one rank runs at a time, all on one thread.
#[derive(Debug, Default)]
pub(crate) struct ComputeTimer {
    since_ns: Cell<Option<u64>>,
}

impl ComputeTimer {
    /// A rank's own code starts or continues.
    pub(crate) fn start(&self) {
        self.since_ns.set(Some(processor_ns()));
    }

    /// Stops the timer and returns its nanoseconds; 0 if it was not running.
    pub(crate) fn stop(&self) -> u64 {
        self.since_ns.take().map_or(0, |since| processor_ns().saturating_sub(since))
    }
}

/// The processor time of this thread.
fn processor_ns() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use std::{hint::black_box, thread, time::Duration};

    use super::*;

    #[test]
    fn computing_is_charged_and_time_without_the_processor_is_not() {
        const MILLISECOND: u64 = 1_000_000;
        let timer = ComputeTimer::default();
        assert_eq!(timer.stop(), 0, "it was not running");
        timer.start();
        thread::sleep(Duration::from_millis(60));
        assert!(timer.stop() < 30 * MILLISECOND);
        timer.start();
        let begin = processor_ns();
        while processor_ns() - begin < 10 * MILLISECOND {
            black_box(0);
        }
        assert!(timer.stop() >= 10 * MILLISECOND);
        assert_eq!(timer.stop(), 0, "it has stopped");
    }
}
