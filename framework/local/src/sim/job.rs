//! Runs the ranks of a job in virtual time, one at a time on one thread.
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
    Rank, RankFunction, ThreadRanks, Transport,
    job::{JobOutcome, RankTermination},
};

use crate::{
    fabric::{JobState, Runtime as _},
    sim::{
        Faults, Machine,
        coroutine::RankCoroutine,
        event_loop::EventLoop,
        runtime::{self, SharedJobState, SimRuntime},
        scheduler::{NextTask, Scheduler},
    },
};

/// How long after the limit a computing rank may take to return before the job is abandoned.
const GRACE: Duration = Duration::from_millis(250);

/// Ranks in virtual time on a machine.
#[derive(Clone, Debug)]
pub struct Simulator {
    /// The simulated machine.
    pub machine: Arc<Machine>,
    /// The injected faults.
    pub faults: Faults,
    /// Whether computation is charged as measured here, instead of as declared. Then times differ from run to run.
    pub measure_computing: bool,
    /// Whether the window accesses of all ranks are checked for data races (`WB0022`). This costs no virtual time; it is left
    /// out with more than 64 ranks.
    pub detect_races: bool,
    /// Whether files are copies in memory that end with the job, as in checked runs. The disk stays as it is then.
    pub files_in_memory: bool,
}

/// The outcome of a simulated job.
#[derive(Debug)]
pub struct SimulationOutcome {
    /// How its ranks ended.
    pub outcome: JobOutcome,
    /// By rank: its clock at the end, nanoseconds; empty for an abandoned job.
    pub clocks: Vec<u64>,
    /// How many messages, payloads and acknowledgements have arrived.
    pub event_count: u64,
}

impl From<Machine> for Simulator {
    /// A simulator without faults and without race detection.
    fn from(machine: Machine) -> Self {
        Self {
            machine: Arc::new(machine),
            faults: Faults::default(),
            measure_computing: false,
            detect_races: false,
            files_in_memory: false,
        }
    }
}

impl Simulator {
    /// Runs `job` on `size` ranks; see [`ThreadRanks::run`].
    ///
    /// # Panics
    /// When the system cannot start a thread.
    pub fn simulate(&self, size: usize, limit: Option<Duration>, job: RankFunction) -> SimulationOutcome {
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        let state = runtime::new_shared_state(
            EventLoop::new(Arc::clone(&self.machine), self.faults.clone(), size),
            size,
        );
        if self.detect_races {
            lock(&state).enable_race_detection();
        }
        if self.files_in_memory {
            lock(&state).keep_files_in_memory();
        }
        let ends: RankTerminations = Arc::new(Mutex::new((0..size).map(|_| None).collect()));
        let (its_state, its_ends, its_stop) = (Arc::clone(&state), Arc::clone(&ends), Arc::clone(&stop));
        let measured = self.measure_computing;
        let body = move || {
            let hub = SimRuntime::new(its_state, size);
            let hub = if measured { hub.with_measured_computing() } else { hub };
            let simulation = Simulation::new(hub, size, its_ends, &job);
            let simulated = simulation.run_to_outcome(&its_stop, limit);
            // The receiver is dropped when the job has been abandoned.
            let _ = sender.send(simulated);
        };
        let thread = thread::Builder::new().name("simulator".to_owned()).spawn(body);
        let thread = thread.expect("the system starts a thread");
        let Some(limit) = limit else {
            return thread.join().map_or_else(
                |_| abandoned_outcome(&state, &ends, false),
                |()| receiver.recv().expect("the job sends its result"),
            );
        };
        let deadline = Instant::now() + limit;
        receiver.recv_timeout(limit).unwrap_or_else(|_| {
            stop.store(true, Ordering::Relaxed);
            let time_left = (deadline + GRACE).saturating_duration_since(Instant::now());
            receiver.recv_timeout(time_left).unwrap_or_else(|_| {
                lock(&state).interrupt_at_limit(limit);
                abandoned_outcome(&state, &ends, true)
            })
        })
    }
}

impl ThreadRanks for Simulator {
    fn run(&self, size: usize, limit: Option<Duration>, job: RankFunction) -> JobOutcome {
        self.simulate(size, limit, job).outcome
    }
}

/// Runs `job` on `size` ranks of `machine` and returns the result and the final clock of each rank.
///
/// # Panics
/// When a rank panics, with its message.
pub fn run<R: Send + 'static>(
    machine: Machine,
    size: usize,
    job: impl Fn(Rc<dyn Transport>) -> R + Send + Sync + 'static,
) -> Vec<(R, u64)> {
    let job: RankFunction = Arc::new(move |transport| Box::new(job(transport)));
    let simulated = Simulator::from(machine).simulate(size, None, job);
    let unwrap = |(rank, ended)| match ended {
        RankTermination::Returned(value) => {
            *<Box<dyn Any + Send>>::downcast::<R>(value).expect("the job returns R")
        }
        RankTermination::Panicked(text) => panic!("rank {rank} panicked: {text}"),
        RankTermination::Unfinished | RankTermination::Starved(_) => {
            unreachable!("ranks are given up at a limit only")
        }
    };
    simulated.outcome.ranks.into_iter().enumerate().map(unwrap).zip(simulated.clocks).collect()
}

/// By rank: how its code ended, if it has. The thread that waits for the job reads this after the limit.
pub(crate) type RankTerminations = Arc<Mutex<Vec<Option<RankTermination>>>>;

/// The outcome of a job whose thread does not return: one rank runs without end, others are blocked in a call, and the
/// rest could continue but are not resumed.
fn abandoned_outcome(
    state: &SharedJobState<EventLoop>,
    ends: &RankTerminations,
    timed_out: bool,
) -> SimulationOutcome {
    let state = lock(state);
    let ranks = lock(ends).iter_mut().map(Option::take).collect();
    let mut outcome = state.outcome(ranks, timed_out);
    let JobOutcome { ranks, blocked, .. } = &mut outcome;
    let keeps = state.delivery.running();
    for (rank, ended) in
        ranks.iter_mut().enumerate().filter(|(_, ended)| matches!(ended, RankTermination::Unfinished))
    {
        if let Some(other) = keeps.filter(|keeps| *keeps != rank)
            && blocked.iter().all(|blocked| blocked.rank != rank)
        {
            *ended = RankTermination::Starved(other);
        }
    }
    SimulationOutcome { outcome, clocks: Vec::new(), event_count: state.delivery.event_count() }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().expect("no rank panics while it holds what all share")
}

/// A running job.
pub(crate) struct Simulation<P: Scheduler> {
    runtime: SimRuntime<P>,
    coroutines: Vec<Option<RankCoroutine>>,
    terminations: RankTerminations,
}

impl Simulation<EventLoop> {
    /// Runs the job and returns its outcome with the clocks.
    fn run_to_outcome(mut self, stop: &AtomicBool, limit: Option<Duration>) -> SimulationOutcome {
        let outcome = self.run(stop, limit);
        let state = self.runtime.lock_state();
        SimulationOutcome {
            outcome,
            clocks: state.delivery.clocks().to_vec(),
            event_count: state.delivery.event_count(),
        }
    }
}

impl<P: Scheduler> Simulation<P> {
    /// Creates a coroutine for every rank; a rank whose stack the system refuses counts as one that panicked.
    pub(crate) fn new(hub: SimRuntime<P>, size: usize, ends: RankTerminations, job: &RankFunction) -> Self {
        let run = |rank| {
            let (its_hub, its_end, job) = (hub.clone(), Arc::clone(&ends), Arc::clone(job));
            let body = move || {
                let how = crate::fabric::run_rank(&its_hub, (rank, size), |transport| job(transport));
                lock(&its_end)[rank] = Some(how);
            };
            let run = hub.executor().spawn(rank, body);
            if let Err(error) = &run {
                let refused = |_| panic!("the system gave it no stack: {error}");
                lock(&ends)[rank] = Some(crate::fabric::run_rank(&hub, (rank, size), refused));
            }
            run.ok()
        };
        let runs = (0..size).map(run).collect();
        Self { runtime: hub, coroutines: runs, terminations: ends }
    }

    /// Processes all events in the order of the scheduler, until all ranks have ended.
    pub(crate) fn run(&mut self, stop: &AtomicBool, limit: Option<Duration>) -> JobOutcome {
        let mut timed_out = false;
        let stopped = |timed_out: &mut bool| {
            let strikes = limit.filter(|_| !*timed_out && stop.load(Ordering::Relaxed));
            *timed_out |= strikes.is_some();
            strikes
        };
        while let Some(rank) = self.next_rank(|| stopped(&mut timed_out)) {
            self.resume(rank);
        }
        let ranks = lock(&self.terminations).iter_mut().map(Option::take).collect();
        self.runtime.lock_state().outcome(ranks, timed_out)
    }

    /// Processes the events before the next rank that can run, and returns that rank. `stopped` returns the limit once
    /// it has passed.
    fn next_rank(&self, mut stopped: impl FnMut() -> Option<Duration>) -> Option<Rank> {
        let mut state = self.runtime.lock_state();
        loop {
            // A task that has been taken is no longer in flight.
            if let Some(limit) = stopped() {
                state.interrupt_at_limit(limit);
            }
            match next_task(&mut state)? {
                NextTask::Event(event) => state.process_event(event),
                NextTask::Rank(rank) if self.coroutines[rank].is_some() && !state.is_blocked(rank) => {
                    state.delivery.resumed(rank);
                    return Some(rank);
                }
                NextTask::Rank(_) => {}
            }
        }
    }

    fn resume(&mut self, rank: Rank) {
        let Some(run) = &mut self.coroutines[rank] else { return };
        self.runtime.start_measuring();
        if self.runtime.executor().resume(rank, run) {
            self.coroutines[rank] = None;
        }
    }
}

/// The next task. When nothing is in flight and no rank can run, blocked ranks get the error of a deadlock, and ranks
/// that poll without success get that of a livelock.
fn next_task<P: Scheduler>(state: &mut JobState<P>) -> Option<NextTask> {
    if state.delivery.is_livelocked() && state.failure().is_none() {
        state.interrupt(wb_comm::text::setup::no_progress());
    }
    P::next_task(state).or_else(|| {
        state.check_deadlock();
        P::next_task(state)
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use wb_comm::{CallSite, Error, FileArgs, FileMode, Verb};

    use super::*;

    #[test]
    fn the_state_does_not_grow_with_communicators_that_are_dropped_and_files_that_are_closed() {
        thread_local! { static KEPT: Cell<Option<Rc<dyn Transport>>> = const { Cell::new(None) } }
        let machine = crate::sim::machine_library::find("laptop-2").expect("it is there").machine("m", 2);
        let event_loop = EventLoop::new(Arc::new(machine.expect("two cores")), Faults::default(), 2);
        let state = runtime::new_shared_state(event_loop, 2);
        let job: RankFunction = Arc::new(|transport: Rc<dyn Transport>| {
            let site = CallSite::caller(Verb::Split);
            let split = || drop(transport.split(Some(0), 0, site).expect("all call it"));
            let args = FileArgs { path: "sim-state".into(), mode: FileMode::read_write().create() };
            let open = || transport.file_open(&args, site).expect("opened");
            (0..100).for_each(|_| open().close(site).map(|()| split()).expect("closed"));
            drop(open());
            split();
            KEPT.set(Some(transport));
            Box::new(())
        });
        lock(&state).keep_files_in_memory();
        let runtime = SimRuntime::new(Arc::clone(&state), 2);
        Simulation::new(runtime, 2, Arc::new(Mutex::new(vec![None, None])), &job)
            .run(&AtomicBool::new(false), None);
        let kept = KEPT.take().expect("the ranks were in this thread").dup(CallSite::caller(Verb::Dup));
        assert!(matches!(kept.err(), Some(Error::Setup(_))), "the job is over");
        assert_eq!(lock(&state).communicator_count(), 3, "the world, the open file and one more");
    }
}
