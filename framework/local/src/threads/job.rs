//! Starts a job's threads and collects their results.
use std::{
    any::Any,
    rc::Rc,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread,
    time::{Duration, Instant},
};

use wb_comm::{
    Rank, RankFunction, ThreadRanks, Transport, current_rank,
    job::{JobOutcome, RankTermination},
};

use crate::{fabric::Runtime as _, threads::runtime::ThreadRuntime};

/// The size of a rank's stack: that of a usual main thread, so that tasks run in both.
const STACK_BYTES: usize = 8 << 20;

/// How long after the limit a rank may take to return from its verb before it is given up.
const GRACE: Duration = Duration::from_millis(250);

/// Ranks as threads of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalThreads {
    /// The longest message in bytes for which a standard send does not wait. Zero makes every send with a payload
    /// synchronous, which detects programs that rely on buffering.
    pub eager_limit: usize,
    /// Whether the window accesses of all ranks are checked for races (`WB0022`). Every message then carries a clock,
    /// so this is for runs that are not measured; among more than 64 ranks the check is omitted.
    pub detect_races: bool,
    /// Whether files are copies in memory that end with the job, as in checked runs; the disk stays as it is.
    pub files_in_memory: bool,
}

impl LocalThreads {
    /// 4096 bytes, as Open MPI's shared-memory transport.
    pub const DEFAULT: Self = Self { eager_limit: 4096, detect_races: false, files_in_memory: false };

    /// The default with race detection.
    pub const WITH_RACE_DETECTION: Self = Self { detect_races: true, ..Self::DEFAULT };
}

impl Default for LocalThreads {
    /// [`LocalThreads::DEFAULT`].
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl ThreadRanks for LocalThreads {
    fn run(&self, size: usize, limit: Option<Duration>, job: RankFunction) -> JobOutcome {
        let deadline = limit.map(|limit| (Instant::now() + limit, limit));
        let hub = ThreadRuntime::new(size, self.eager_limit, |state| {
            if self.detect_races {
                state.enable_race_detection();
            }
            if self.files_in_memory {
                state.keep_files_in_memory();
            }
        });
        let results = Arc::new(RankResults::new(size));
        for rank in 0..size {
            spawn_rank(rank, size, &hub, &results, Arc::clone(&job));
        }
        let timed_out = deadline.is_some_and(|(at, limit)| {
            let late = !results.wait_until(at);
            if late {
                hub.lock_state().interrupt_at_limit(limit);
                results.wait_until(Instant::now() + GRACE);
            }
            late
        });
        if !timed_out {
            results.wait();
        }
        job_outcome(&hub, &results, timed_out)
    }
}

/// Runs `job` on `size` ranks and returns what each returned, by rank.
///
/// # Panics
/// If a rank panics, with its message.
pub fn run<R: Send + 'static>(
    size: usize,
    job: impl Fn(Rc<dyn Transport>) -> R + Send + Sync + 'static,
) -> Vec<R> {
    let job: RankFunction = Arc::new(move |transport| Box::new(job(transport)));
    let outcome = LocalThreads::default().run(size, None, job);
    let unwrap = |(rank, ended)| match ended {
        RankTermination::Returned(value) => {
            *<Box<dyn Any + Send>>::downcast::<R>(value).expect("the job returns R")
        }
        RankTermination::Panicked(text) => panic!("rank {rank} panicked: {text}"),
        RankTermination::Unfinished | RankTermination::Starved(_) => {
            unreachable!("ranks are given up at a limit only")
        }
    };
    outcome.ranks.into_iter().enumerate().map(unwrap).collect()
}

/// Starts one rank's thread. A thread that the system cannot start counts as a rank that panicked.
fn spawn_rank(rank: Rank, size: usize, hub: &ThreadRuntime, results: &Arc<RankResults>, job: RankFunction) {
    let (its_hub, its_results) = (hub.clone(), Arc::clone(results));
    let run = move || crate::fabric::run_rank(&its_hub, (rank, size), |transport| job(transport));
    let body = move || current_rank::run_as(rank, || its_results.put(rank, run()));
    let thread = thread::Builder::new().name(format!("rank {rank}")).stack_size(STACK_BYTES);
    if let Err(error) = thread.spawn(body) {
        let refused = move |_| panic!("the system did not start its thread: {error}");
        results.put(rank, crate::fabric::run_rank(hub, (rank, size), refused));
    }
}

fn job_outcome(hub: &ThreadRuntime, results: &RankResults, timed_out: bool) -> JobOutcome {
    let ranks = results.lock().iter_mut().map(Option::take).collect();
    hub.lock_state().outcome(ranks, timed_out)
}

/// The results of the ranks that have ended.
struct RankResults {
    slots: Mutex<Vec<Option<RankTermination>>>,
    filled: Condvar,
}

impl RankResults {
    fn new(size: usize) -> Self {
        Self { slots: Mutex::new((0..size).map(|_| None).collect()), filled: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Option<RankTermination>>> {
        self.slots.lock().expect("nobody panics while filling a slot")
    }

    fn put(&self, rank: Rank, ended: RankTermination) {
        self.lock()[rank] = Some(ended);
        self.filled.notify_one();
    }

    /// Waits until all ranks have ended.
    fn wait(&self) {
        let all = self.filled.wait_while(self.lock(), |slots| slots.iter().any(Option::is_none));
        drop(all.expect("nobody panics while filling a slot"));
    }

    /// Waits until all ranks have ended, at most until `deadline`; returns whether they have.
    fn wait_until(&self, deadline: Instant) -> bool {
        let left = deadline.saturating_duration_since(Instant::now());
        let waited =
            self.filled.wait_timeout_while(self.lock(), left, |slots| slots.iter().any(Option::is_none));
        !waited.expect("nobody panics while filling a slot").1.timed_out()
    }
}
