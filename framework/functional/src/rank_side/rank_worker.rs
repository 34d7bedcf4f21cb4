//! This process as a member of a job: it executes the runs of its rank, and takes part in the steps of all ranks.
//!
//! One run has two steps: the *end*, when this rank has left it, and the *search for leaks*. At both every rank waits for all others: the
//! [coordinator](crate::coordinator) lets it continue. The watchdog or the exit hook reports the end of a rank that cannot do so itself
//! (it hangs, it called `exit`); then the job is over, and the process leaves without finalising the library.
use std::{
    io,
    panic::resume_unwind,
    path::PathBuf,
    rc::Rc,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use wb_comm::{Error, JobHandle, ProcessRanks, ThreadRanks, Transport};
use wb_runner::{Backends, RunnerLink};
use wb_task::Progress;

use crate::{
    coordinator::Instruction,
    evidence::{
        event::{LeakReport, TestEvent},
        rank_report::{RankOutcome, RankReport},
    },
    rank_side::{
        captured_output::CapturedOutput,
        current_run::RunPhase,
        job_end::{self, JobMember},
        termination,
    },
    replay::call_trace::{trace::TraceBuffer, transport::TracingTransport},
    test::{erased_test, test_case::TestCase, test_run::TestRun},
};

/// The time limit of the search for messages that must exist.
const LEAK_SEARCH_TIMEOUT: Duration = Duration::from_millis(100);

/// The stack of the thread of a test, as on threads.
const STACK_BYTES: usize = 8 << 20;

/// Why this process cannot take part.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JoinError {
    /// The library refuses.
    #[error(transparent)]
    Library(#[from] Error),
    /// The size of the job differs from the announced one.
    #[error("{announced} ranks announced, {size} there")]
    SizeMismatch {
        /// The launcher's number.
        announced: usize,
        /// The library's number.
        size: usize,
    },
    /// The system refuses, or the coordinator cannot be reached.
    #[error(transparent)]
    System(#[from] io::Error),
}

pub(crate) struct RankWorker {
    member: Arc<JobMember>,
    threads: &'static dyn ThreadRanks,
    /// One test at a time.
    test_lock: Mutex<()>,
}

impl RankWorker {
    /// Initialises the library of this process, which is a rank of a job of so many ranks, if the launcher has announced that.
    pub(crate) fn init(
        processes: &'static dyn ProcessRanks,
        announced: Option<usize>,
    ) -> Result<Rc<dyn JobHandle>, JoinError> {
        let handle = processes.init()?;
        let size = handle.size();
        match announced.filter(|&announced| announced != size) {
            Some(announced) => Err(JoinError::SizeMismatch { announced, size }),
            None => Ok(handle),
        }
    }

    /// Joins the job of this process with the coordinator at the other end of `link`; `output` is the file of the job's output.
    pub(crate) fn join(
        backends: Backends,
        processes: &'static dyn ProcessRanks,
        handle: &dyn JobHandle,
        link: Arc<RunnerLink>,
        output: Option<PathBuf>,
    ) -> Result<Self, JoinError> {
        let place = (handle.rank(), handle.size());
        let member = JobMember::start(place, processes, link, CapturedOutput::new(output))?;
        Ok(Self { member, threads: backends.threads, test_lock: Mutex::new(()) })
    }

    /// The rank of this process.
    pub(crate) fn rank(&self) -> usize {
        self.member.rank
    }

    /// The number of ranks of the job.
    pub(crate) fn size(&self) -> usize {
        self.member.size
    }

    /// Waits until no other test of this process uses the job.
    pub(crate) fn test_lock(&self) -> MutexGuard<'_, ()> {
        self.test_lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Executes all runs of a test at one number of ranks on this rank, up to the first that fails; whether none has failed. All its
    /// runs have one communicator, and no other test has it; they have a thread, whose thread-local values are dropped at their end.
    ///
    /// # Errors
    /// The error of the library, outside of a run.
    pub(crate) fn run(&self, name: &str, ranks: usize, test_runs: &[Arc<dyn TestRun>]) -> io::Result<bool> {
        thread::scope(|scope| {
            let thread =
                thread::Builder::new().name(erased_test::test_of(name).to_owned()).stack_size(STACK_BYTES);
            let runs = thread.spawn_scoped(scope, || self.run_on_this_thread(name, ranks, test_runs))?;
            runs.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    fn run_on_this_thread(
        &self,
        name: &str,
        ranks: usize,
        test_runs: &[Arc<dyn TestRun>],
    ) -> io::Result<bool> {
        termination::begin();
        let handle = self.member.processes.init().map_err(io::Error::other)?;
        let id = erased_test::run_id(name, ranks);
        let cases = test_runs.iter().map(|test_run| test_run.test_case().clone()).collect();
        self.step(&TestEvent::Test(id.clone(), cases));
        let Some(mut last) = test_runs.first().map(|test_run| test_run.test_case()) else {
            return Ok(self.step_is_right(&TestEvent::Done(id)));
        };
        let opened = self.watched(last, RunPhase::Opening, || handle.open_communicator(ranks))?;
        let mut is_right = true;
        for test_run in test_runs {
            last = test_run.test_case();
            let is_patient = self.run_once(opened.as_ref(), &**test_run);
            is_right = self.find_leaks(&*handle, last, is_patient)?;
            if !is_right {
                break;
            }
        }
        drop(opened);
        let close = || if is_right { handle.free_communicators() } else { handle.close_after_failure() };
        self.watched(last, RunPhase::FindingLeaks, close)?;
        let is_right = self.step_is_right(&TestEvent::Done(id));
        if last.limit.is_some() {
            termination::watch_termination(last.id.clone(), job_end::report_unterminated);
        }
        Ok(is_right)
    }

    /// Reports a step and waits until all have reported it; meanwhile the library continues what they wait for.
    fn step(&self, event: &TestEvent) -> Instruction {
        self.member.link.step(event, || self.member.processes.progress())
    }

    fn step_is_right(&self, event: &TestEvent) -> bool {
        self.step(event) == Instruction::Continue { is_right: true }
    }

    /// Calls of the library that belong to no run, but may not hang either.
    fn watched<R>(
        &self,
        test_case: &TestCase,
        phase: RunPhase,
        work: impl FnOnce() -> wb_comm::Result<R>,
    ) -> io::Result<R> {
        self.member.current_run.begin(test_case, phase, &Arc::default(), &TraceBuffer::default());
        let result = work();
        if self.member.current_run.take().is_none() {
            job_end::park_forever();
        }
        result.map_err(io::Error::other)
    }

    /// One run of this rank; whether a message may still be on its way when all have ended it.
    fn run_once(&self, transport: Option<&Rc<dyn Transport>>, test_run: &dyn TestRun) -> bool {
        let (member, test_case) = (&self.member, test_run.test_case());
        member.link.report(&TestEvent::Ready(test_case.id.clone()));
        let progress = Arc::new(Progress::default());
        member.captured_output.begin();
        let trace = TraceBuffer::default();
        member.current_run.begin(test_case, RunPhase::Stages, &progress, &trace);
        let report = match transport {
            Some(transport) => {
                let came =
                    test_run.run_stages(TracingTransport::world(Rc::clone(transport), &trace), &progress);
                member.current_run.enter(RunPhase::Checking);
                if member.rank == test_case.home_rank && came.panic.is_none() {
                    test_run.compute_reference(self.threads);
                }
                test_run.evaluate(came)
            }
            None => RankReport::new(member.rank, RankOutcome::NotParticipating),
        };
        if member.current_run.take().is_none() {
            job_end::park_forever();
        }
        let is_failure = report.is_failure();
        let output_tail = if is_failure { member.captured_output.tail() } else { String::new() };
        let report = RankReport { output_tail, trace: trace.encode(is_failure), ..report };
        let ended = TestEvent::RanksEnded(test_case.id.clone(), vec![report.with_unreported(&progress)]);
        self.step(&ended) == Instruction::FindLeaks { is_patient: true }
    }

    /// Searches for the leaks of a run that every rank has completed, and frees them; whether the run was right.
    fn find_leaks(&self, handle: &dyn JobHandle, test_case: &TestCase, is_patient: bool) -> io::Result<bool> {
        let patience = if is_patient { LEAK_SEARCH_TIMEOUT } else { Duration::ZERO };
        let findings = self.watched(test_case, RunPhase::FindingLeaks, || handle.find_leaks(patience))?;
        let processes = self.member.end_children();
        let leaks = LeakReport { findings, replayed: vec![], processes };
        Ok(self.step_is_right(&TestEvent::Leaks(test_case.id.clone(), leaks)))
    }
}
