//! Starts a job's threads and gathers how they ended.
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread,
    time::{Duration, Instant},
};

use wb_comm::job::{Ended, Outcome};
use wb_comm::{Error, Rank, Threads, ThreadsJob, Transport};

use crate::{endpoint::Endpoint, hub::Hub};

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
}

impl Default for Local {
    /// 4096 bytes, as Open MPI's shared-memory transport.
    fn default() -> Self {
        Self { eager_limit: 4096 }
    }
}

impl Threads for Local {
    fn run(&self, size: usize, limit: Option<Duration>, job: ThreadsJob) -> Outcome {
        let deadline = limit.map(|limit| (Instant::now() + limit, limit));
        let hub = Arc::new(Hub::new(size, self.eager_limit));
        let results = Arc::new(Results::of(size));
        for rank in 0..size {
            start(rank, size, &hub, &results, Arc::clone(&job));
        }
        let timed_out = deadline.is_some_and(|(at, limit)| {
            let late = !results.wait_until(at);
            if late {
                interrupt(&hub, limit);
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
        Ended::Lost => unreachable!("ranks are given up at a limit only"),
    };
    outcome.ranks.into_iter().enumerate().map(unwrap).collect()
}

/// Starts one rank's thread. One that the system refuses counts as a rank that panicked.
fn start(rank: Rank, size: usize, hub: &Arc<Hub>, results: &Arc<Results>, job: ThreadsJob) {
    let (its_hub, its_results) = (Arc::clone(hub), Arc::clone(results));
    let body = move || {
        let transport: Rc<dyn Transport> = Rc::new(Endpoint::world(Arc::clone(&its_hub), rank, size));
        let ended = match catch_unwind(AssertUnwindSafe(|| job(transport))) {
            Ok(value) => Ended::Returned(value),
            Err(payload) => Ended::Panicked(text_of(&*payload)),
        };
        end(&its_hub, &its_results, rank, ended);
    };
    let thread = thread::Builder::new().name(format!("rank {rank}")).stack_size(STACK_BYTES);
    if let Err(error) = thread.spawn(body) {
        let text = format!("the system did not start its thread: {error}");
        end(hub, results, rank, Ended::Panicked(text));
    }
}

/// Tells the other ranks first, then whoever waits for the job.
fn end(hub: &Hub, results: &Results, rank: Rank, ended: Ended) {
    let mut state = hub.lock();
    if let Ended::Panicked(text) = &ended {
        state.fail(Error::Peer { rank, what: format!("panicked: {text}") });
    }
    state.end(rank);
    drop(state);
    results.put(rank, ended);
}

fn interrupt(hub: &Hub, limit: Duration) {
    let mut state = hub.lock();
    if state.failure.is_none() {
        state.blocked = state.standings();
    }
    state.fail(Error::Interrupted { reason: format!("the limit of {limit:?} is over") });
}

fn conclude(hub: &Hub, results: &Results, timed_out: bool) -> Outcome {
    let ranks: Vec<_> = results.lock().iter_mut().map(|slot| slot.take().unwrap_or(Ended::Lost)).collect();
    let state = hub.lock();
    let all_returned = ranks.iter().all(|ended| matches!(ended, Ended::Returned(_)));
    Outcome {
        ranks,
        blocked: state.blocked.clone(),
        timed_out,
        leftovers: if all_returned { state.leftovers() } else { Vec::new() },
        abandoned_requests: state.abandoned,
    }
}

/// What a panic says; payloads other than texts say nothing.
fn text_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a text".to_owned())
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
