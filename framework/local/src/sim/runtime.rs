//! How a rank on a coroutine accesses the shared state, and how it waits: it suspends its coroutine.
use std::{
    ops::{Deref, DerefMut},
    rc::Rc,
    sync::{Arc, Mutex, MutexGuard},
};

use wb_comm::{Rank, current_rank};

use crate::{
    fabric::{JobState, ObservedState},
    sim::{compute_timer::ComputeTimer, coroutine::CoroutineExecutor, scheduler::Scheduler},
};

/// The state that the ranks of a job share. One rank runs at a time, but the thread that waits for the job reads it
/// after the limit.
pub(crate) type SharedJobState<P> = Arc<Mutex<JobState<P>>>;

/// The state of `size` ranks under this scheduler.
pub(crate) fn new_shared_state<P: Scheduler>(scheduler: P, size: usize) -> SharedJobState<P> {
    Arc::new(Mutex::new(JobState::new(size, scheduler)))
}

/// A handle of the shared state.
#[derive(Debug)]
pub(crate) struct SimRuntime<P> {
    state: SharedJobState<P>,
    executor: Rc<CoroutineExecutor>,
    /// The timer, where computation is charged as measured.
    compute_timer: Option<Rc<ComputeTimer>>,
}

/// The state, locked by a rank or by the scheduling loop.
#[derive(Debug)]
pub(crate) struct SimStateGuard<'h, P> {
    state: MutexGuard<'h, JobState<P>>,
    /// The timer of a rank whose computation is measured: it starts again when this is dropped.
    compute_timer: Option<&'h ComputeTimer>,
}

impl<P> Clone for SimRuntime<P> {
    fn clone(&self) -> Self {
        let (state, executor) = (Arc::clone(&self.state), Rc::clone(&self.executor));
        Self { state, executor, compute_timer: self.compute_timer.clone() }
    }
}

impl<P: Scheduler> SimRuntime<P> {
    /// A runtime for `size` ranks that share this state.
    pub(crate) fn new(state: SharedJobState<P>, size: usize) -> Self {
        Self { state, executor: Rc::new(CoroutineExecutor::new(size)), compute_timer: None }
    }

    /// The same runtime; the ranks' own code is charged as measured, and not as declared.
    pub(crate) fn with_measured_computing(self) -> Self {
        Self { compute_timer: Some(Rc::default()), ..self }
    }

    /// A rank's own code is about to start or continue.
    pub(crate) fn start_measuring(&self) {
        self.compute_timer.iter().for_each(|stopwatch| stopwatch.start());
    }

    pub(crate) fn executor(&self) -> &Rc<CoroutineExecutor> {
        &self.executor
    }
}

impl<P: Scheduler> crate::fabric::Runtime for SimRuntime<P> {
    type Delivery = P;
    type StateGuard<'h> = SimStateGuard<'h, P>;

    fn name(&self) -> &'static str {
        P::NAME
    }

    fn lock_state(&self) -> SimStateGuard<'_, P> {
        let state = self.state.lock().expect("no rank panics while it holds the hub");
        match &self.compute_timer {
            None => SimStateGuard { state, compute_timer: None },
            Some(stopwatch) => charge_elapsed(state, stopwatch),
        }
    }

    fn on_host_stack<R>(&self, part: impl FnOnce() -> R) -> R {
        self.executor.on_host_stack(part)
    }

    fn wait(&self, rank: Rank) -> SimStateGuard<'_, P> {
        self.executor.suspend(rank);
        self.lock_state()
    }

    fn before_poll(&self, rank: Rank, observed: ObservedState) {
        if self.lock_state().delivery.must_suspend_poll(rank, observed) {
            self.executor.suspend(rank);
        }
    }

    fn after_failed_poll(&self, rank: Rank) {
        self.lock_state().delivery.poll_failed(rank);
        self.executor.suspend(rank);
    }

    fn now(&self, rank: Rank) -> u64 {
        self.lock_state().delivery.local_time(rank)
    }

    fn read_clock(&self, rank: Rank) -> Option<u64> {
        let mut state = self.lock_state();
        let time = state.delivery.read_clock(rank);
        (!state.delivery.is_livelocked()).then_some(time)
    }

    fn work(&self, rank: Rank, flops: u64, bytes: u64) -> u64 {
        match self.compute_timer {
            None => self.lock_state().delivery.work(rank, flops, bytes),
            // The timer has charged it already.
            Some(_) => self.lock_state().delivery.work(rank, 0, 0),
        }
    }
}

/// Charges the measured time of the running rank's own code, if a rank runs.
fn charge_elapsed<'h, P: Scheduler>(
    mut state: MutexGuard<'h, JobState<P>>,
    stopwatch: &'h ComputeTimer,
) -> SimStateGuard<'h, P> {
    let rank = current_rank::rank();
    if let Some(rank) = rank {
        state.delivery.charge(rank, stopwatch.stop());
    }
    SimStateGuard { state, compute_timer: rank.map(|_| stopwatch) }
}

impl<P> Deref for SimStateGuard<'_, P> {
    type Target = JobState<P>;

    fn deref(&self) -> &JobState<P> {
        &self.state
    }
}

impl<P> DerefMut for SimStateGuard<'_, P> {
    fn deref_mut(&mut self) -> &mut JobState<P> {
        &mut self.state
    }
}

impl<P> Drop for SimStateGuard<'_, P> {
    fn drop(&mut self) {
        self.compute_timer.iter().for_each(|stopwatch| stopwatch.start());
    }
}
