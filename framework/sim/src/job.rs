//! Runs a job's ranks in virtual time, one after the other on one thread.
use std::{
    any::Any,
    rc::Rc,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use wb_comm::{
    Error, Rank, Threads, ThreadsJob, Transport,
    job::{Ended, Outcome},
};
use wb_fabric::{Hub as _, State};

use crate::{
    Faults, Machine,
    baton::Run,
    clockwork::Clockwork,
    hub::{self, Hub, Shared},
    turns::{Next, Turns},
};

/// How long after the limit a rank may take to come back from computing before all are given up.
const GRACE: Duration = Duration::from_millis(250);

/// Ranks in virtual time on a machine.
#[derive(Clone, Debug)]
pub struct Simulator {
    /// The machine that is not there.
    pub machine: Arc<Machine>,
    /// What goes wrong on it.
    pub faults: Faults,
    /// Is computing charged as it is measured here, instead of as it is declared? Times are not the same in every run then.
    pub measured: bool,
    /// Are all ranks' accesses of windows held against each other (`WB0022`)? It costs no virtual time; among more than 64
    /// ranks it is left out.
    pub races: bool,
}

/// What a simulated job leaves.
#[derive(Debug)]
pub struct Simulated {
    /// How its ranks ended.
    pub outcome: Outcome,
    /// By rank: what its clock showed at the end, nanoseconds; empty when the ranks were given up.
    pub clocks: Vec<u64>,
    /// How many messages, payloads and acknowledgements have arrived.
    pub happened: u64,
}

impl From<Machine> for Simulator {
    /// Nothing goes wrong, and nobody looks for races.
    fn from(machine: Machine) -> Self {
        Self { machine: Arc::new(machine), faults: Faults::default(), measured: false, races: false }
    }
}

impl Simulator {
    /// Runs `job` on `size` ranks; see [`Threads::run`].
    ///
    /// # Panics
    /// When the system starts no thread at all.
    pub fn simulate(&self, size: usize, limit: Option<Duration>, job: ThreadsJob) -> Simulated {
        let stop = Arc::new(AtomicBool::new(false));
        let (tell, told) = mpsc::channel();
        let state = hub::shared(Clockwork::new(Arc::clone(&self.machine), self.faults.clone(), size), size);
        if self.races {
            lock(&state).watch_races();
        }
        let ends: Ends = Arc::new(Mutex::new((0..size).map(|_| None).collect()));
        let (its_state, its_ends, its_stop) = (Arc::clone(&state), Arc::clone(&ends), Arc::clone(&stop));
        let measured = self.measured;
        let body = move || {
            let hub = Hub::new(its_state, size);
            let hub = if measured { hub.measuring() } else { hub };
            let simulation = Simulation::new(hub, size, its_ends, &job);
            let simulated = simulation.simulated(&its_stop, limit);
            // Nobody listens any more once the job was given up.
            let _ = tell.send(simulated);
        };
        let thread = thread::Builder::new().name("simulator".to_owned()).spawn(body);
        let thread = thread.expect("the system starts a thread");
        let Some(limit) = limit else {
            return thread
                .join()
                .map_or_else(|_| given_up(&state, &ends, false), |()| told.recv().expect("it has told"));
        };
        let deadline = Instant::now() + limit;
        told.recv_timeout(limit).unwrap_or_else(|_| {
            stop.store(true, Ordering::Relaxed);
            let patience = (deadline + GRACE).saturating_duration_since(Instant::now());
            told.recv_timeout(patience).unwrap_or_else(|_| {
                lock(&state).interrupt(limit);
                given_up(&state, &ends, true)
            })
        })
    }
}

impl Threads for Simulator {
    fn run(&self, size: usize, limit: Option<Duration>, job: ThreadsJob) -> Outcome {
        self.simulate(size, limit, job).outcome
    }
}

/// Runs `job` on `size` ranks of `machine` and gives what each returned and what its clock showed then, by rank.
///
/// # Panics
/// When a rank panics, with its text.
pub fn run<R: Send + 'static>(
    machine: Machine,
    size: usize,
    job: impl Fn(Rc<dyn Transport>) -> R + Send + Sync + 'static,
) -> Vec<(R, u64)> {
    let job: ThreadsJob = Arc::new(move |transport| Box::new(job(transport)));
    let simulated = Simulator::from(machine).simulate(size, None, job);
    let unwrap = |(rank, ended)| match ended {
        Ended::Returned(value) => *<Box<dyn Any + Send>>::downcast::<R>(value).expect("the job returns R"),
        Ended::Panicked(text) => panic!("rank {rank} panicked: {text}"),
        Ended::Lost | Ended::Waited(_) => unreachable!("ranks are given up at a limit only"),
    };
    simulated.outcome.ranks.into_iter().enumerate().map(unwrap).zip(simulated.clocks).collect()
}

/// By rank: how its code ended, if it has. Who waits for the job looks from another thread once its limit is over.
pub(crate) type Ends = Arc<Mutex<Vec<Option<Ended>>>>;

/// What is known of a job whose thread does not come back: one rank has the baton and keeps it, others stand in a call, and
/// the rest could go on if it were their turn.
fn given_up(state: &Shared<Clockwork>, ends: &Ends, timed_out: bool) -> Simulated {
    let state = lock(state);
    let ranks = lock(ends).iter_mut().map(Option::take).collect();
    let mut outcome = state.outcome(ranks, timed_out);
    let Outcome { ranks, blocked, .. } = &mut outcome;
    let keeps = state.pace.holder();
    for (rank, ended) in ranks.iter_mut().enumerate().filter(|(_, ended)| matches!(ended, Ended::Lost)) {
        if let Some(other) = keeps.filter(|keeps| *keeps != rank)
            && blocked.iter().all(|blocked| blocked.rank != rank)
        {
            *ended = Ended::Waited(other);
        }
    }
    Simulated { outcome, clocks: Vec::new(), happened: state.pace.happened() }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().expect("no rank panics while it holds what all share")
}

/// A job under way.
pub(crate) struct Simulation<P: Turns> {
    hub: Hub<P>,
    runs: Vec<Option<Run>>,
    ends: Ends,
}

impl Simulation<Clockwork> {
    /// Runs, and tells what the clocks show too.
    fn simulated(mut self, stop: &AtomicBool, limit: Option<Duration>) -> Simulated {
        let outcome = self.run(stop, limit);
        let state = self.hub.hold();
        Simulated { outcome, clocks: state.pace.clocks().to_vec(), happened: state.pace.happened() }
    }
}

impl<P: Turns> Simulation<P> {
    /// Every rank has its stack; one whose stack the system refuses counts as a rank that panicked.
    pub(crate) fn new(hub: Hub<P>, size: usize, ends: Ends, job: &ThreadsJob) -> Self {
        let run = |rank| {
            let (its_hub, its_end, job) = (hub.clone(), Arc::clone(&ends), Arc::clone(job));
            let body = move || {
                let how = wb_fabric::run(&its_hub, (rank, size), |transport| job(transport));
                lock(&its_end)[rank] = Some(how);
            };
            let run = hub.baton().set(rank, body);
            if let Err(error) = &run {
                let refused = |_| panic!("the system gave it no stack: {error}");
                lock(&ends)[rank] = Some(wb_fabric::run(&hub, (rank, size), refused));
            }
            run.ok()
        };
        let runs = (0..size).map(run).collect();
        Self { hub, runs, ends }
    }

    /// Lets everything happen in the order of its pace, until all ranks have ended.
    pub(crate) fn run(&mut self, stop: &AtomicBool, limit: Option<Duration>) -> Outcome {
        let mut timed_out = false;
        let stopped = |timed_out: &mut bool| {
            let strikes = limit.filter(|_| !*timed_out && stop.load(Ordering::Relaxed));
            *timed_out |= strikes.is_some();
            strikes
        };
        while let Some(rank) = self.next_rank(|| stopped(&mut timed_out)) {
            self.hand(rank);
        }
        let ranks = lock(&self.ends).iter_mut().map(Option::take).collect();
        self.hub.hold().outcome(ranks, timed_out)
    }

    /// Lets happen what comes before the next rank that gets the baton, and gives it. `stopped` tells the limit when that is
    /// over.
    fn next_rank(&self, mut stopped: impl FnMut() -> Option<Duration>) -> Option<Rank> {
        let mut state = self.hub.hold();
        loop {
            let next = next(&mut state)?;
            if let Some(limit) = stopped() {
                state.interrupt(limit);
            }
            match next {
                Next::Happening(what) => state.happen(what),
                Next::Rank(rank) if self.runs[rank].is_some() && !state.stands(rank) => {
                    state.pace.hand(rank);
                    return Some(rank);
                }
                Next::Rank(_) => {}
            }
        }
    }

    fn hand(&mut self, rank: Rank) {
        let Some(run) = &mut self.runs[rank] else { return };
        self.hub.goes_on();
        if self.hub.baton().hand(rank, run) {
            self.runs[rank] = None;
        }
    }
}

/// What is next. When nothing is under way and nobody is to run, those who stand learn that they stand for ever; so do
/// those who look again and again for what will not come.
fn next<P: Turns>(state: &mut State<P>) -> Option<Next> {
    if state.pace.hopeless() && state.failure().is_none() {
        state.fail(Error::Interrupted { reason: wb_comm::text::setup::no_progress() });
    }
    P::turn(state).or_else(|| {
        state.check_deadlock();
        P::turn(state)
    })
}
