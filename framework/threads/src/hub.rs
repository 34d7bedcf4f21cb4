//! The one lock of a job, and how a rank waits under it.
use std::{
    sync::{
        Arc, Condvar, Mutex, MutexGuard, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Instant,
};

use wb_comm::Rank;
use wb_fabric::{Sight, State};

use crate::{Local, bells::Bells};

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

/// A handle of what the ranks of a job share.
#[derive(Clone, Debug)]
pub(crate) struct Hub {
    state: Arc<Mutex<State<Bells>>>,
    bells: Arc<[Bell]>,
}

impl Hub {
    /// For `size` ranks.
    pub(crate) fn new(size: usize, Local { eager_limit, races }: Local) -> Self {
        let bells: Arc<[Bell]> = (0..size).map(|_| Bell::default()).collect();
        let pace = Bells { bells: Arc::clone(&bells), eager_limit };
        let mut state = State::new(size, pace);
        if races {
            state.watch_races();
        }
        Self { state: Arc::new(Mutex::new(state)), bells }
    }
}

impl wb_fabric::Hub for Hub {
    type Pace = Bells;
    type Held<'h> = MutexGuard<'h, State<Bells>>;

    fn name(&self) -> &'static str {
        "threads"
    }

    fn hold(&self) -> MutexGuard<'_, State<Bells>> {
        self.state.lock().expect("no rank panics while it holds the hub")
    }

    fn wait(&self, rank: Rank) -> MutexGuard<'_, State<Bells>> {
        let bell = &self.bells[rank];
        for _ in 0..YIELDS {
            if bell.rung.load(Ordering::Acquire) {
                break;
            }
            thread::yield_now();
        }
        let state = bell
            .condvar
            .wait_while(self.hold(), |state| state.stands(rank))
            .expect("no rank panics while it holds the hub");
        // For its next wait; a bell that is heard too early only costs the yields.
        bell.rung.store(false, Ordering::Relaxed);
        state
    }

    fn look(&self, _rank: Rank, _sight: Sight) {}

    /// A rank that polls must not keep the processor from the one it waits for.
    fn idle(&self, _rank: Rank) {
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
