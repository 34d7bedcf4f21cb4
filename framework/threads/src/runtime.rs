//! The one lock of a job, and how a rank waits under it.
use std::{
    sync::{Arc, Mutex, MutexGuard, OnceLock, atomic::Ordering},
    thread,
    time::Instant,
};

use wb_comm::Rank;
use wb_fabric::{JobState, ObservedState};

use crate::{immediate::ImmediateDelivery, waker::Waker};

/// How often a rank that has to wait gives the processor away before it goes to sleep. An answer that is on its way
/// comes within a few; a longer spin would take the processor from the one who answers.
const MAX_YIELDS: usize = 50;

/// A handle of what the ranks of a job share.
#[derive(Clone, Debug)]
pub(crate) struct ThreadRuntime {
    state: Arc<Mutex<JobState<ImmediateDelivery>>>,
    wakers: Arc<[Waker]>,
}

impl ThreadRuntime {
    /// For `size` ranks; see [`LocalThreads`](crate::LocalThreads).
    pub(crate) fn new(size: usize, eager_limit: usize, detect_races: bool) -> Self {
        let wakers: Arc<[Waker]> = (0..size).map(|_| Waker::default()).collect();
        let delivery = ImmediateDelivery { wakers: Arc::clone(&wakers), eager_limit };
        let mut state = JobState::new(size, delivery);
        if detect_races {
            state.enable_race_detection();
        }
        Self { state: Arc::new(Mutex::new(state)), wakers }
    }
}

impl wb_fabric::Runtime for ThreadRuntime {
    type Delivery = ImmediateDelivery;
    type StateGuard<'h> = MutexGuard<'h, JobState<ImmediateDelivery>>;

    fn name(&self) -> &'static str {
        "threads"
    }

    fn lock_state(&self) -> MutexGuard<'_, JobState<ImmediateDelivery>> {
        self.state.lock().expect("no rank panics while it holds the hub")
    }

    fn wait(&self, rank: Rank) -> MutexGuard<'_, JobState<ImmediateDelivery>> {
        let bell = &self.wakers[rank];
        for _ in 0..MAX_YIELDS {
            if bell.is_notified.load(Ordering::Acquire) {
                break;
            }
            thread::yield_now();
        }
        let state = bell
            .condvar
            .wait_while(self.lock_state(), |state| state.is_blocked(rank))
            .expect("no rank panics while it holds the hub");
        // For its next wait; a bell that is heard too early only costs the yields.
        bell.is_notified.store(false, Ordering::Relaxed);
        state
    }

    fn before_poll(&self, _rank: Rank, _sight: ObservedState) {}

    /// A rank that polls must not keep the processor from the one it waits for.
    fn after_failed_poll(&self, _rank: Rank) {
        thread::yield_now();
    }

    fn now(&self, _rank: Rank) -> u64 {
        static ORIGIN: OnceLock<Instant> = OnceLock::new();
        let elapsed = ORIGIN.get_or_init(Instant::now).elapsed();
        u64::try_from(elapsed.as_nanos()).expect("a process lives less than 500 years")
    }

    /// The work itself takes its time.
    fn work(&self, _rank: Rank, _flops: u64, _bytes: u64) -> u64 {
        0
    }
}
