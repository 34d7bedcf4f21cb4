//! Starts a job's threads and gathers how they ended.
use std::{
    any::Any,
    rc::Rc,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread,
    time::{Duration, Instant},
};

use wb_comm::job::{Ended, Outcome};
use wb_comm::{Rank, Threads, ThreadsJob, Transport, current};
use wb_fabric::Hub as _;

use crate::hub::Hub;

/// A rank's stack: what a main thread usually has, so that tasks need not care where they run.
const STACK_BYTES: usize = 8 << 20;

/// How long after the limit a rank may take to come back from its verb before it is given up.
const GRACE: Duration = Duration::from_millis(250);

/// Ranks as threads of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    /// The longest message in bytes that a standard send does not wait for. Zero makes every send with a payload
    /// synchronous, which finds programs that lean on buffering.
    pub eager_limit: usize,
    /// Are all ranks' accesses of windows held against each other (`WB0022`)? Every message carries a clock then, so this is
    /// for runs that are not measured; among more than 64 ranks it is left out.
    pub races: bool,
}

impl Local {
    /// 4096 bytes, as Open MPI's shared-memory transport.
    pub const USUAL: Self = Self { eager_limit: 4096, races: false };

    /// The same, looking for races.
    pub const WATCHED: Self = Self { races: true, ..Self::USUAL };
}

impl Default for Local {
    /// [`Local::USUAL`].
    fn default() -> Self {
        Self::USUAL
    }
}

impl Threads for Local {
    fn run(&self, size: usize, limit: Option<Duration>, job: ThreadsJob) -> Outcome {
        let deadline = limit.map(|limit| (Instant::now() + limit, limit));
        let hub = Hub::new(size, *self);
        let results = Arc::new(Results::of(size));
        for rank in 0..size {
            start(rank, size, &hub, &results, Arc::clone(&job));
        }
        let timed_out = deadline.is_some_and(|(at, limit)| {
            let late = !results.wait_until(at);
            if late {
                hub.hold().interrupt(limit);
                results.wait_until(Instant::now() + GRACE);
            }
            late
        });
        if !timed_out {
            results.wait();
        }
        conclude(&hub, &results, timed_out)
    }
}

/// Runs `job` on `size` ranks and gives what each returned, by rank.
///
/// # Panics
/// When a rank panics, with its text.
pub fn run<R: Send + 'static>(
    size: usize,
    job: impl Fn(Rc<dyn Transport>) -> R + Send + Sync + 'static,
) -> Vec<R> {
    let job: ThreadsJob = Arc::new(move |transport| Box::new(job(transport)));
    let outcome = Local::default().run(size, None, job);
    let unwrap = |(rank, ended)| match ended {
        Ended::Returned(value) => *<Box<dyn Any + Send>>::downcast::<R>(value).expect("the job returns R"),
        Ended::Panicked(text) => panic!("rank {rank} panicked: {text}"),
        Ended::Lost | Ended::Waited(_) => unreachable!("ranks are given up at a limit only"),
    };
    outcome.ranks.into_iter().enumerate().map(unwrap).collect()
}

/// Starts one rank's thread. One that the system refuses counts as a rank that panicked.
fn start(rank: Rank, size: usize, hub: &Hub, results: &Arc<Results>, job: ThreadsJob) {
    let (its_hub, its_results) = (hub.clone(), Arc::clone(results));
    let run = move || wb_fabric::run(&its_hub, (rank, size), |transport| job(transport));
    let body = move || current::run_as(rank, || its_results.put(rank, run()));
    let thread = thread::Builder::new().name(format!("rank {rank}")).stack_size(STACK_BYTES);
    if let Err(error) = thread.spawn(body) {
        let refused = move |_| panic!("the system did not start its thread: {error}");
        results.put(rank, wb_fabric::run(hub, (rank, size), refused));
    }
}

fn conclude(hub: &Hub, results: &Results, timed_out: bool) -> Outcome {
    let ranks = results.lock().iter_mut().map(Option::take).collect();
    hub.hold().outcome(ranks, timed_out)
}

/// How the ranks ended, as far as they have.
struct Results {
    slots: Mutex<Vec<Option<Ended>>>,
    filled: Condvar,
}

impl Results {
    fn of(size: usize) -> Self {
        Self { slots: Mutex::new((0..size).map(|_| None).collect()), filled: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Option<Ended>>> {
        self.slots.lock().expect("nobody panics while filling a slot")
    }

    fn put(&self, rank: Rank, ended: Ended) {
        self.lock()[rank] = Some(ended);
        self.filled.notify_one();
    }

    /// Waits until all have ended.
    fn wait(&self) {
        let all = self.filled.wait_while(self.lock(), |slots| slots.iter().any(Option::is_none));
        drop(all.expect("nobody panics while filling a slot"));
    }

    /// Waits until all have ended, at most until `deadline`; tells whether they have.
    fn wait_until(&self, deadline: Instant) -> bool {
        let left = deadline.saturating_duration_since(Instant::now());
        let waited =
            self.filled.wait_timeout_while(self.lock(), left, |slots| slots.iter().any(Option::is_none));
        !waited.expect("nobody panics while filling a slot").1.timed_out()
    }
}
