//! The one lock of a job, and how a rank waits under it.
use std::{
    sync::{
        Arc, Condvar, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use wb_comm::{Rank, Result};

use crate::{deadlock::Standing, state::State};

/// How often a rank that has to wait gives the processor away before it goes to sleep. An answer that is on its way
/// comes within a few; a longer spin would take the processor from the one who answers.
const YIELDS: usize = 50;

/// What wakes one rank.
#[derive(Debug, Default)]
pub(crate) struct Bell {
    rung: AtomicBool,
    condvar: Condvar,
}

impl Bell {
    /// Wakes the rank; call under the hub's lock.
    pub(crate) fn ring(&self) {
        self.rung.store(true, Ordering::Release);
        self.condvar.notify_one();
    }
}

/// What the ranks of a job share.
#[derive(Debug)]
pub(crate) struct Hub {
    state: Mutex<State>,
    bells: Arc<[Bell]>,
    /// The longest message in bytes that a standard send does not wait for.
    pub(crate) eager_limit: usize,
}

impl Hub {
    /// For `size` ranks.
    pub(crate) fn new(size: usize, eager_limit: usize) -> Self {
        let bells: Arc<[Bell]> = (0..size).map(|_| Bell::default()).collect();
        Self { state: Mutex::new(State::new(Arc::clone(&bells))), bells, eager_limit }
    }

    /// Takes the lock.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no rank panics while it holds the hub")
    }

    /// Lets `rank` (of the job) stand until its need is met.
    ///
    /// # Errors
    /// Why the job cannot go on; the lock is free then.
    pub(crate) fn wait<'h>(
        &'h self,
        mut state: MutexGuard<'h, State>,
        rank: Rank,
        standing: Standing,
    ) -> Result<MutexGuard<'h, State>> {
        if state.meets(&standing.need) {
            return Ok(state);
        }
        let bell = &self.bells[rank];
        bell.rung.store(false, Ordering::Relaxed);
        state.seats[rank].standing = Some(standing);
        state.check_deadlock();
        drop(state);
        for _ in 0..YIELDS {
            if bell.rung.load(Ordering::Acquire) {
                break;
            }
            thread::yield_now();
        }
        let state = self.lock();
        let state = bell
            .condvar
            .wait_while(state, |state| state.seats[rank].standing.is_some())
            .expect("no rank panics while it holds the hub");
        state.failure.clone().map_or(Ok(state), Err)
    }
}
