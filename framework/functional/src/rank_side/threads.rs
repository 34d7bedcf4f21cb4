//! All ranks of a job in one process: on threads, or in virtual time, where they take turns on a model of a machine.
//!
//! In virtual time messages arrive later than on threads and in an order that occurs on other machines too, and a rank that waits
//! without success is found immediately, also while other ranks compute.
use std::{
    io,
    panic::resume_unwind,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    thread,
    time::Duration,
};

use wb_comm::{
    Finding, RankFunction, ThreadRanks, VirtualRanks,
    job::{JobOutcome, RankTermination, SimulationOptions},
};
use wb_messages::{Lang, functional as text};
use wb_process::{
    out_of_memory,
    stack::{StackSample, Thread},
    thread_exit,
};
use wb_record::Backend;
use wb_runner::Backends;
use wb_task::Progress;

use crate::{
    evidence::{RankOutcome, RankReport},
    job_protocol::{EXIT_FAILED, LOCATE_TIMEOUT},
    rank_side::{
        current_run::{CurrentRun, RunPhase},
        member::RunExecutor,
    },
    replay::call_trace::trace::TraceBuffer,
    test::{TestCase, TestRun, test_run::StageResult},
};

/// The machine: it has room for any number of ranks, and its network sends long messages only after a request.
const MACHINE: &str = "cluster-ib";

#[derive(Clone, Copy)]
pub(crate) struct VirtualTimeThreads(pub(crate) &'static dyn VirtualRanks);

impl ThreadRanks for VirtualTimeThreads {
    /// # Panics
    /// When the backend does not know [`MACHINE`].
    fn run(&self, size: usize, limit: Option<Duration>, job: RankFunction) -> JobOutcome {
        let conditions =
            SimulationOptions { machine: MACHINE.to_owned(), faults: vec![], measure_computing: false };
        let ran = self.0.run(&conditions, size, limit, job);
        ran.unwrap_or_else(|error| panic!("{MACHINE} comes along and ends nowhere: {error}")).0
    }
}

/// The result of a run.
#[derive(Default)]
pub(crate) struct ThreadsRun {
    /// One per rank.
    pub(crate) reports: Vec<RankReport>,
    /// The leaks of the run, and the reason why no rank could continue.
    findings: Vec<Finding>,
    /// Whether a rank is lost: its thread continues and may take a core from later runs.
    has_lost_rank: bool,
}

/// Executes the runs of a test on all ranks of a job, which share this process.
pub(crate) struct ThreadsExecutor<'a> {
    backend: Backend,
    backends: Backends,
    current_run: &'a CurrentRun,
    last: ThreadsRun,
}

impl<'a> ThreadsExecutor<'a> {
    pub(crate) fn new(backend: Backend, backends: Backends, current_run: &'a CurrentRun) -> Self {
        Self { backend, backends, current_run, last: ThreadsRun::default() }
    }
}

impl RunExecutor for ThreadsExecutor<'_> {
    fn run(&mut self, test_run: &Arc<dyn TestRun>) -> Vec<RankReport> {
        let test_case = test_run.test_case();
        let progress: Arc<[Progress]> = (0..test_case.id.ranks).map(|_| Progress::default()).collect();
        self.current_run.begin(test_case, RunPhase::AllRanks, &progress, &TraceBuffer::default());
        let in_virtual_time = VirtualTimeThreads(self.backends.watched_virtual_time);
        let threads: &dyn ThreadRanks = match self.backend {
            Backend::VirtualTime => &in_virtual_time,
            Backend::Threads | Backend::Mpi => self.backends.watched_threads,
        };
        self.last = run(threads, test_run, &progress);
        if out_of_memory::is_ending() {
            thread::sleep(LOCATE_TIMEOUT); // Another thread is ending this process.
        }
        self.current_run.end();
        std::mem::take(&mut self.last.reports)
    }

    fn find_leaks(&mut self, _: &TestCase, _: bool) -> io::Result<Vec<Finding>> {
        Ok(std::mem::take(&mut self.last.findings))
    }

    fn close(self: Box<Self>, _: &TestCase, _: bool) -> io::Result<()> {
        if self.last.has_lost_rank {
            wb_process::exit_now(EXIT_FAILED); // The lost thread computes on; the next test needs its core.
        }
        Ok(())
    }
}

/// The data that the ranks share with the thread that started them.
struct SharedRun {
    test_run: Arc<dyn TestRun>,
    progress: Arc<[Progress]>,
    results: Vec<Mutex<Option<StageResult>>>,
    /// The thread of each rank, once it has begun.
    threads: Vec<OnceLock<Thread>>,
}

/// Executes `test_run` on ranks of this process; `progress` has one entry for each rank.
pub(crate) fn run(
    threads: &dyn ThreadRanks,
    test_run: &Arc<dyn TestRun>,
    progress: &Arc<[Progress]>,
) -> ThreadsRun {
    test_run.compute_reference(threads);
    let (ranks, limit) = (test_run.test_case().id.ranks, test_run.test_case().limit);
    let shared = Arc::new(SharedRun {
        test_run: Arc::clone(test_run),
        progress: Arc::clone(progress),
        results: (0..ranks).map(|_| Mutex::new(None)).collect(),
        threads: (0..ranks).map(|_| OnceLock::new()).collect(),
    });
    let outcome = threads.run(ranks, limit, job(&shared));
    // All are sampled before any of their lines is looked up, which takes a moment.
    let mut entries: Vec<_> = (0..ranks).map(|rank| shared.rank_report(rank, &outcome)).collect();
    let sampled: Vec<_> = entries.iter().map(|entry| shared.sample(entry)).collect();
    for (entry, sample) in entries.iter_mut().zip(sampled) {
        entry.activity = sample.map(|sample| sample.activity());
    }
    let mut lost = outcome.ranks.iter().any(|ended| matches!(ended, RankTermination::Unfinished));
    // Without a limit a debugger may be attached.
    // In virtual time all ranks have one thread.
    let threads = || shared.threads.iter().filter_map(OnceLock::get).copied();
    let wait = |_| thread_exit::wait_for_threads(threads()).err();
    if let Some(unended) = limit.filter(|_| !lost).and_then(wait) {
        lost = true;
        let doing = unended.sample.map(|sample| sample.activity());
        let belongs = |rank: usize| shared.threads[rank].get() == Some(&unended.thread);
        for entry in entries.iter_mut().filter(|entry| belongs(entry.rank)) {
            *entry = std::mem::take(entry).into_unterminated(doing.clone());
        }
    }
    ThreadsRun { reports: entries, findings: outcome.findings, has_lost_rank: lost }
}

fn job(shared: &Arc<SharedRun>) -> RankFunction {
    let shared = Arc::clone(shared);
    Arc::new(move |transport| {
        let rank = transport.rank();
        if let Some(thread) = Thread::current() {
            shared.threads[rank].get_or_init(|| thread);
        }
        let result = shared.test_run.run_stages(transport, &shared.progress[rank]);
        let panic = result.panic.clone();
        *shared.results[rank].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        if let Some(caught) = panic {
            // The backend needs this to end the others.
            resume_unwind(Box::new(caught.text));
        }
        Box::new(())
    })
}

impl SharedRun {
    fn rank_report(&self, rank: usize, outcome: &JobOutcome) -> RankReport {
        let result = self.results[rank].lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut entry = match result {
            Some(result) => self.test_run.evaluate(result),
            None => {
                let mut entry = RankReport::new(rank, RankOutcome::Unresponsive);
                entry.stage = self.progress[rank].stage();
                if let RankTermination::Starved(other) = outcome.ranks[rank] {
                    entry.text = text::waited(Lang::from_environment(), other);
                }
                entry
            }
        };
        // It was blocked in a call when no rank could continue: its handling of the error is a consequence.
        let blocked = outcome.blocked.iter().find(|call| call.rank == rank && entry.is_failure());
        if blocked.is_some() {
            (entry.outcome, entry.blocked_in) = (RankOutcome::Unresponsive, blocked.cloned());
        }
        // A rank that was in no call and has not returned computes, whatever the others do.
        let calls = outcome.calls.get(rank).copied();
        let ongoing_calls = calls.filter(|_| !entry.is_late_outside_calls());
        RankReport { ongoing_calls, ..entry }.with_unreported(&self.progress[rank])
    }

    /// A sample of a rank that did not return and is in no call.
    fn sample(&self, entry: &RankReport) -> Option<StackSample> {
        self.threads[entry.rank].get().filter(|_| entry.is_late_outside_calls())?.sample()
    }
}
