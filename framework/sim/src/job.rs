//! Runs a job's ranks in virtual time, one after the other on one thread.
use std::{
    any::Any,
    cell::RefCell,
    rc::Rc,
    sync::{
        Arc,
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
use wb_fabric::Hub as _;

use crate::{Machine, baton::Run, clockwork::Next, hub::Hub};

/// How long after the limit a rank may take to come back from computing before all are given up.
const GRACE: Duration = Duration::from_millis(250);

/// Ranks in virtual time on a machine.
#[derive(Clone, Debug)]
pub struct Simulator {
    /// The machine that is not there.
    pub machine: Arc<Machine>,
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

impl Simulator {
    /// Runs `job` on `size` ranks; see [`Threads::run`].
    ///
    /// # Panics
    /// When the system starts no thread at all.
    pub fn simulate(&self, size: usize, limit: Option<Duration>, job: ThreadsJob) -> Simulated {
        let stop = Arc::new(AtomicBool::new(false));
        let (tell, told) = mpsc::channel();
        let (machine, its_stop) = (Arc::clone(&self.machine), Arc::clone(&stop));
        let body = move || {
            let simulated = Simulation::new(machine, size, &job).run(&its_stop, limit);
            // Nobody listens any more once the job was given up.
            let _ = tell.send(simulated);
        };
        let thread = thread::Builder::new().name("simulator".to_owned()).spawn(body);
        let thread = thread.expect("the system starts a thread");
        let Some(limit) = limit else {
            return thread.join().map_or_else(|_| lost(size, false), |()| told.recv().expect("it has told"));
        };
        let deadline = Instant::now() + limit;
        told.recv_timeout(limit).unwrap_or_else(|_| {
            stop.store(true, Ordering::Relaxed);
            let patience = (deadline + GRACE).saturating_duration_since(Instant::now());
            told.recv_timeout(patience).unwrap_or_else(|_| lost(size, true))
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
    let simulated = Simulator { machine: Arc::new(machine) }.simulate(size, None, job);
    let unwrap = |(rank, ended)| match ended {
        Ended::Returned(value) => *<Box<dyn Any + Send>>::downcast::<R>(value).expect("the job returns R"),
        Ended::Panicked(text) => panic!("rank {rank} panicked: {text}"),
        Ended::Lost => unreachable!("ranks are given up at a limit only"),
    };
    simulated.outcome.ranks.into_iter().enumerate().map(unwrap).zip(simulated.clocks).collect()
}

fn lost(size: usize, timed_out: bool) -> Simulated {
    let ranks = (0..size).map(|_| Ended::Lost).collect();
    let (blocked, findings) = (Vec::new(), Vec::new());
    let outcome = Outcome { ranks, blocked, timed_out, findings };
    Simulated { outcome, clocks: Vec::new(), happened: 0 }
}

/// A job under way.
struct Simulation {
    hub: Hub,
    runs: Vec<Option<Run>>,
    ended: Rc<RefCell<Vec<Option<Ended>>>>,
}

impl Simulation {
    /// Every rank has its stack; one whose stack the system refuses counts as a rank that panicked.
    fn new(machine: Arc<Machine>, size: usize, job: &ThreadsJob) -> Self {
        let hub = Hub::new(machine, size);
        let ended: Rc<RefCell<Vec<_>>> = Rc::new(RefCell::new((0..size).map(|_| None).collect()));
        let run = |rank| {
            let (its_hub, its_end, job) = (hub.clone(), Rc::clone(&ended), Arc::clone(job));
            let body = move || {
                let how = wb_fabric::run(&its_hub, (rank, size), |transport| job(transport));
                its_end.borrow_mut()[rank] = Some(how);
            };
            let run = hub.baton().set(rank, body);
            if let Err(error) = &run {
                let refused = |_| panic!("the system gave it no stack: {error}");
                ended.borrow_mut()[rank] = Some(wb_fabric::run(&hub, (rank, size), refused));
            }
            run.ok()
        };
        let runs = (0..size).map(run).collect();
        Self { hub, runs, ended }
    }

    /// Lets everything happen in the order of its time, until all ranks have ended.
    fn run(mut self, stop: &AtomicBool, limit: Option<Duration>) -> Simulated {
        let mut timed_out = false;
        while let Some(next) = self.next() {
            if let (false, Some(limit)) = (timed_out, limit)
                && stop.load(Ordering::Relaxed)
            {
                timed_out = true;
                self.hub.hold().interrupt(limit);
            }
            match next {
                Next::Happening(what) => self.hub.hold().happen(what),
                Next::Rank(rank) => self.hand(rank),
            }
        }
        let state = self.hub.hold();
        Simulated {
            outcome: state.outcome(self.ended.take(), timed_out),
            clocks: state.pace.clocks().to_vec(),
            happened: state.pace.happened(),
        }
    }

    /// What is next. When nothing is under way and nobody is to run, those who stand learn that they stand for ever; so do
    /// those who look again and again for what will not come.
    fn next(&self) -> Option<Next> {
        let mut state = self.hub.hold();
        if state.pace.hopeless() && state.failure().is_none() {
            let reason = "every rank waits or looks in vain, and nothing is under way".to_owned();
            state.fail(Error::Interrupted { reason });
        }
        state.pace.turn().or_else(|| {
            state.check_deadlock();
            state.pace.turn()
        })
    }

    fn hand(&mut self, rank: Rank) {
        let run = self.runs[rank].as_mut().filter(|_| !self.hub.hold().stands(rank));
        if run.is_some_and(|run| self.hub.baton().hand(rank, run)) {
            self.runs[rank] = None;
        }
    }
}
