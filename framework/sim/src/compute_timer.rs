//! Measures the processor time of the ranks' own code, where computation is charged as measured.
//!
//! The timer runs while a rank's own code runs: from the release of the shared state, or the resumption of the rank,
//! until the state is locked again. The simulator's own work and the time of other ranks are not charged.
use std::{cell::Cell, time::Instant};

/// The timer of one job, in which one rank runs at a time.
#[derive(Debug, Default)]
pub(crate) struct ComputeTimer {
    since: Cell<Option<Instant>>,
}

impl ComputeTimer {
    /// A rank's own code starts or continues.
    pub(crate) fn start(&self) {
        self.since.set(Some(Instant::now()));
    }

    /// Stops the timer and returns its nanoseconds; 0 if it was not running.
    pub(crate) fn stop(&self) -> u64 {
        let took = self.since.take().map_or(0, |since| since.elapsed().as_nanos());
        u64::try_from(took).unwrap_or(u64::MAX)
    }
}
