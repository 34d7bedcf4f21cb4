//! The lock of a job, and how a rank waits under it.
use std::{
    sync::{Arc, Mutex, MutexGuard, OnceLock, atomic::Ordering},
    thread,
    time::Instant,
};

use wb_comm::Rank;

use crate::{
    fabric::{JobState, ObservedState},
    threads::{immediate::ImmediateDelivery, waker::Waker},
};

/// The number of times that a waiting rank yields the processor before it sleeps. A message in flight arrives within a
/// few yields; a longer spin would take the processor from its sender.
const MAX_YIELDS: usize = 50;

/// A handle of the shared state of a job.
#[derive(Clone, Debug)]
pub(crate) struct ThreadRuntime {
    state: Arc<Mutex<JobState<ImmediateDelivery>>>,
    wakers: Arc<[Waker]>,
}

impl ThreadRuntime {
    /// For `size` ranks; `prepare` is called with the state before they start.
    pub(crate) fn new(
        size: usize,
        eager_limit: usize,
        prepare: impl FnOnce(&mut JobState<ImmediateDelivery>),
    ) -> Self {
        let wakers: Arc<[Waker]> = (0..size).map(|_| Waker::default()).collect();
        let delivery = ImmediateDelivery { wakers: Arc::clone(&wakers), eager_limit };
        let mut state = JobState::new(size, delivery);
        prepare(&mut state);
        Self { state: Arc::new(Mutex::new(state)), wakers }
    }
}

impl crate::fabric::Runtime for ThreadRuntime {
    type Delivery = ImmediateDelivery;
    type StateGuard<'h> = MutexGuard<'h, JobState<ImmediateDelivery>>;

    fn name(&self) -> &'static str {
        "threads"
    }

    fn lock_state(&self) -> MutexGuard<'_, JobState<ImmediateDelivery>> {
        self.state.lock().expect("no rank panics while it holds the hub")
    }

    fn wait(&self, rank: Rank) -> MutexGuard<'_, JobState<ImmediateDelivery>> {
        let waker = &self.wakers[rank];
        for _ in 0..MAX_YIELDS {
            if waker.is_notified.load(Ordering::Acquire) {
                break;
            }
            thread::yield_now();
        }
        let state = waker
            .condvar
            .wait_while(self.lock_state(), |state| state.is_blocked(rank))
            .expect("no rank panics while it holds the hub");
        // For its next wait; an early notification costs only the yields.
        waker.is_notified.store(false, Ordering::Relaxed);
        state
    }

    fn before_poll(&self, _rank: Rank, _observed: ObservedState) {}

    /// A rank that polls must not keep the processor from the rank that it waits for.
    fn after_failed_poll(&self, _rank: Rank) {
        thread::yield_now();
    }

    fn now(&self, _rank: Rank) -> u64 {
        static ORIGIN: OnceLock<Instant> = OnceLock::new();
        let elapsed = ORIGIN.get_or_init(Instant::now).elapsed();
        u64::try_from(elapsed.as_nanos()).expect("a process lives less than 500 years")
    }

    /// The work itself takes real time.
    fn work(&self, _rank: Rank, _flops: u64, _bytes: u64) -> u64 {
        0
    }
}
