//! What the code of ranks really takes between two looks at what all share, where computing is charged as measured.
//!
//! It runs while a rank's own code does: from when the state is let go, or the rank gets the baton, until it is taken again.
//! What the simulator itself does under the state, and the turns of other ranks, are not charged.
use std::{cell::Cell, time::Instant};

/// See the module; of one job, since one rank runs at a time.
#[derive(Debug, Default)]
pub(crate) struct ComputeTimer {
    since: Cell<Option<Instant>>,
}

impl ComputeTimer {
    /// A rank's own code begins, or goes on.
    pub(crate) fn start(&self) {
        self.since.set(Some(Instant::now()));
    }

    /// It has come to an end, for now: how long it took, nanoseconds; 0 where none was running.
    pub(crate) fn stop(&self) -> u64 {
        let took = self.since.take().map_or(0, |since| since.elapsed().as_nanos());
        u64::try_from(took).unwrap_or(u64::MAX)
    }
}
