//! This process as a member of its job: it runs tests together with all other processes, and reports how each run ends.
//!
//! One run has two steps: the *end*, when the ranks of this process have left it, and the *search for leaks*. At both every process waits
//! for all others: the [coordinator](crate::coordinator) lets it continue. A [`RunExecutor`] executes the runs: there is one for a rank that
//! is a process, and one for all ranks on threads or in virtual time.
//!
//! A rank that hangs, calls `exit` or runs out of memory cannot report its end itself. The watchdog, a hook or an instruction of the
//! coordinator takes the [run](crate::rank_side::current_run) from it, and only the one that has taken the run reports its end. Then a rank
//! that is a process waits until the coordinator lets it leave, without finalising the library; a process with all ranks ends itself.
use std::{
    collections::BTreeSet,
    io,
    panic::resume_unwind,
    rc::Rc,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc::{self, Receiver},
    },
    thread,
    time::Duration,
};

use wb_comm::{Error, Finding, JobHandle, ProcessRanks, current_rank};
use wb_messages::{Lang, functional as text};
use wb_process::{
    children,
    job_status::RankStatus,
    out_of_memory::{self, OutOfMemory},
    stack::{Activity, ThreadActivity},
    thread_exit::{self, RunningThread},
};
use wb_record::Backend;
use wb_runner::{Backends, RunnerLink, run_folder};

use crate::{
    evidence::{RankOutcome, RankReport},
    job_protocol::{CompletedTests, EXIT_FAILED, Instruction, JobOrder, LeakReport, TestEvent},
    rank_side::{
        current_run::{CurrentRun, WatchedRun, park_forever},
        rank_process::{RankExecutor, RankProcess},
        threads::ThreadsExecutor,
    },
    report::BackendLabel,
    test::{self, RunId, TestCase, TestRun},
};

/// The longest time between two calls that let a library continue what others wait for.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(1);

/// How long a rank that was asked to end may continue by itself.
const SIGTERM_GRACE: Duration = Duration::from_millis(500);

/// The stack of the thread of a test, as on threads.
const STACK_BYTES: usize = 8 << 20;

/// The number of the present test of this process, counted from 1: the watch over the end of the former one is over then.
static TESTS_BEGUN: AtomicUsize = AtomicUsize::new(0);

/// The member that this process is, for the hooks.
static MEMBER: OnceLock<JobMember> = OnceLock::new();

/// The reason why this process cannot take part.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JoinError {
    /// The library refuses.
    #[error(transparent)]
    Library(#[from] Error),
    /// The launcher has announced another number of ranks than the library: the problem, and the launchers to use.
    #[error("{0}")]
    WrongLauncher(String),
    /// The system refuses, or the coordinator cannot be reached.
    #[error(transparent)]
    System(#[from] io::Error),
}

impl JoinError {
    /// The reason why this process cannot join, and the remedy, as text.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::WrongLauncher(text) => text.clone(),
            other => text::cannot_join(Lang::from_environment(), other),
        }
    }
}

/// Executes the runs of a test at one number of ranks on the ranks of this process.
pub(crate) trait RunExecutor {
    /// Executes a run; the report of each rank.
    fn run(&mut self, test_run: &Arc<dyn TestRun>) -> Vec<RankReport>;

    /// Searches for the leaks of a run that every rank has ended, and frees them; a message may still be on its way.
    fn find_leaks(&mut self, test_case: &TestCase, is_patient: bool) -> io::Result<Vec<Finding>>;

    /// Ends the test, whose last run was that of `test_case`.
    fn close(self: Box<Self>, test_case: &TestCase, is_right: bool) -> io::Result<()>;
}

pub(crate) struct JobMember {
    backends: Backends,
    backend: Backend,
    /// The rank that this process is; `None` where all ranks are in it.
    rank: Option<RankProcess>,
    link: Arc<RunnerLink>,
    /// The coordinator's answers to steps.
    answers: Mutex<Receiver<Instruction>>,
    current_run: CurrentRun,
    /// The processes below this one that the task has not started.
    children: BTreeSet<u32>,
    /// One test at a time.
    test_lock: Mutex<()>,
}

impl JobMember {
    /// Initialises the library of this process, which is a rank of a job of the announced size.
    pub(crate) fn init(processes: &'static dyn ProcessRanks) -> Result<Rc<dyn JobHandle>, JoinError> {
        let announced = wb_process::launcher_rank().and_then(|launched| launched.size);
        let handle = processes.init()?;
        let size = handle.size();
        let Some(announced) = announced.filter(|&announced| announced != size) else { return Ok(handle) };
        let (lang, library) = (Lang::from_environment(), processes.library());
        let launchers = match library.launchers.as_slice() {
            [] => text::no_launcher_found(lang),
            some => some.join(", "),
        };
        let label = BackendLabel::processes(&library).0;
        Err(JoinError::WrongLauncher(text::wrong_launcher(lang, announced, size, label, launchers)))
    }

    /// Joins the job of the process at the other end of `link` by its order: starts the watch over the runs of this process, installs the
    /// hooks that end them, and follows the coordinator. Returns the tests that need not be run, too.
    pub(crate) fn from_order(
        backends: Backends,
        link: Arc<RunnerLink>,
    ) -> Result<(&'static Self, CompletedTests), JoinError> {
        let (JobOrder { backend, completed, output }, _) = link.receive()?;
        let rank = match (backend, backends.processes) {
            (Backend::Mpi, Some(processes)) => {
                Some(RankProcess::new(&*Self::init(processes)?, processes, output))
            }
            (Backend::Mpi, None) => {
                return Err(io::Error::other(text::no_mpi_linked(Lang::from_environment())).into());
            }
            (Backend::Threads | Backend::VirtualTime, _) => None,
        };
        children::become_subreaper()?;
        let (children, is_rank) = (children::current_children(), rank.is_some());
        let expired = || {
            end_run(CurrentRun::take, RankOutcome::Unresponsive);
        };
        let current_run = CurrentRun::new(is_rank, expired)?;
        let (sender, answers) = mpsc::channel();
        let (answers, test_lock) = (Mutex::new(answers), Mutex::default());
        let member = Self { backends, backend, rank, link, answers, current_run, children, test_lock };
        let joined = || io::Error::other("this process is a member of a job already");
        MEMBER.set(member).map_err(|_| joined())?;
        let member = MEMBER.get().expect("it was set above");
        thread_exit::register_exit_hook()?;
        wb_process::at_exit(on_exit);
        if is_rank {
            wb_process::on_sigterm(on_sigterm)?;
        }
        out_of_memory::on_out_of_memory(report_out_of_memory)?;
        member.link.listen(move |instruction| match instruction {
            Instruction::Interrupt => {
                end_run(CurrentRun::take_if_it_may_wait, RankOutcome::Unresponsive);
            }
            Instruction::Leave(code) => member.leave(code),
            Instruction::Observe => member.report_status(),
            // The process may be about to exit.
            answer => drop(sender.send(answer)),
        })?;
        Ok((member, completed))
    }

    /// The largest number of ranks of a test.
    pub(crate) fn max_ranks(&self) -> usize {
        self.rank.as_ref().map_or(usize::MAX, |process| process.size)
    }

    /// Waits until no other test of this process uses the job.
    pub(crate) fn test_lock(&self) -> MutexGuard<'_, ()> {
        self.test_lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Executes all runs of a test at one number of ranks, up to the first that fails; whether none has failed. They have a thread, whose
    /// thread-local values are dropped at their end.
    ///
    /// # Errors
    /// The error of the library, outside of a run.
    pub(crate) fn run(&self, name: &str, ranks: usize, test_runs: &[Arc<dyn TestRun>]) -> io::Result<bool> {
        thread::scope(|scope| {
            let thread = thread::Builder::new().name(test::test_of(name).to_owned()).stack_size(STACK_BYTES);
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
        let number = TESTS_BEGUN.fetch_add(1, Ordering::SeqCst) + 1;
        let id = RunId::first(name, ranks);
        let cases = test_runs.iter().map(|test_run| test_run.test_case().clone()).collect();
        self.step(&TestEvent::Test(id.clone(), cases));
        let Some(mut last) = test_runs.first().map(|test_run| test_run.test_case()) else {
            return Ok(self.step_is_right(&TestEvent::Done(id)));
        };
        let mut executor: Box<dyn RunExecutor + '_> = match &self.rank {
            Some(rank) => Box::new(RankExecutor::open(rank, &self.current_run, self.backends, last)?),
            None => Box::new(ThreadsExecutor::new(self.backend, self.backends, &self.current_run)),
        };
        let mut is_right = true;
        for test_run in test_runs {
            last = test_run.test_case();
            is_right = self.run_once(&mut *executor, test_run)?;
            if !is_right {
                break;
            }
        }
        executor.close(last, is_right)?;
        let is_right = self.step_is_right(&TestEvent::Done(id));
        if last.limit.is_some() {
            let id = last.id.clone();
            let is_over = move || TESTS_BEGUN.load(Ordering::SeqCst) != number;
            thread_exit::watch_thread(is_over, move |found| report_unterminated(id, found));
        }
        Ok(is_right)
    }

    /// Executes a run, and searches for its leaks when every rank has ended it; whether it was right.
    fn run_once(&self, executor: &mut dyn RunExecutor, test_run: &Arc<dyn TestRun>) -> io::Result<bool> {
        let test_case = test_run.test_case();
        let id = || test_case.id.clone();
        self.report(&TestEvent::Ready(id()));
        let reports = executor.run(test_run);
        let answer = self.step(&TestEvent::RanksEnded(id(), reports));
        let findings =
            executor.find_leaks(test_case, answer == Instruction::FindLeaks { is_patient: true })?;
        let leaks = LeakReport { findings, replayed: vec![], processes: self.end_children() };
        Ok(self.step_is_right(&TestEvent::Leaks(id(), leaks)))
    }

    /// Reports an event that no process waits for. An event that cannot be sent is missing in the evidence.
    fn report(&self, event: &TestEvent) {
        let _unsent = self.link.send(event, None);
    }

    /// Reports a step and waits until all have reported it; meanwhile the library continues what they wait for.
    fn step(&self, event: &TestEvent) -> Instruction {
        self.report(event);
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Ok(answer) = answers.recv_timeout(PROGRESS_INTERVAL) {
                return answer;
            }
            if let Some(rank) = &self.rank {
                rank.processes.progress();
            }
        }
    }

    fn step_is_right(&self, event: &TestEvent) -> bool {
        self.step(event) == Instruction::Continue { is_right: true }
    }

    /// Ends the processes that the task has left, and returns their names.
    fn end_children(&self) -> Vec<String> {
        children::kill_others(&self.children).iter().map(ToString::to_string).collect()
    }

    fn leave(&self, code: i32) -> ! {
        // Remaining descendants hold the launcher's pipes open.
        self.end_children();
        run_folder::remove_all();
        wb_process::exit_now(code)
    }

    /// The rank whose code runs on the calling thread.
    fn calling_rank(&self) -> usize {
        self.rank.as_ref().map_or_else(|| current_rank::rank().unwrap_or(0), |process| process.rank)
    }

    /// How the rank of this thread ends a run that was taken from it.
    fn last_report(&self, run: &WatchedRun, outcome: RankOutcome) -> RankReport {
        let rank = self.calling_rank();
        let Some(process) = &self.rank else { return run.rank_report(rank, outcome) };
        let is_late = outcome == RankOutcome::Unresponsive;
        let (ongoing_calls, poll) = if is_late { run.observe_calls(rank) } else { (None, None) };
        let blocked_in = if is_late { process.processes.blocked_call().or(poll) } else { None };
        let (output_tail, trace) = (process.output.tail(), run.trace.encode(true));
        let report = run.rank_report(rank, outcome);
        RankReport { blocked_in, ongoing_calls, output_tail, trace, ..report }
    }

    /// Reports what the ranks of this process do. It is on the thread that listens, and asks no thread of a rank.
    fn report_status(&self) {
        let run = self.current_run.observe();
        let ranks = match (&self.rank, &run) {
            (Some(process), run) => {
                let rank = process.rank;
                let status = run.as_ref().map(|run| run.rank_status(rank)).unwrap_or_default();
                vec![RankStatus { rank, call: process.processes.blocked_call().or(status.call), ..status }]
            }
            (None, Some(run)) => (0..run.test_case.id.ranks).map(|rank| run.rank_status(rank)).collect(),
            (None, None) => vec![],
        };
        self.report(&TestEvent::Observed(run.map(|run| run.test_case.id), ranks));
    }

    /// Blocks this thread for ever after the report of a rank's end.
    fn wait_for_end(&self) -> ! {
        match &self.rank {
            Some(_) => park_forever(),
            None => wb_process::exit_now(EXIT_FAILED),
        }
    }
}

/// Takes the run of this process, if it has one, and reports how it ends; the member, if it had one.
fn end_run(
    take: impl FnOnce(&CurrentRun) -> Option<WatchedRun>,
    outcome: RankOutcome,
) -> Option<&'static JobMember> {
    let member = MEMBER.get()?;
    let run = take(&member.current_run)?;
    let report = member.last_report(&run, outcome);
    let (id, rank) = (&run.test_case.id, report.rank);
    let sample = if report.is_late_outside_calls() { Some(run.sample()) } else { None };
    member.report(&TestEvent::RanksEnded(id.clone(), vec![report]));
    // The others need the end immediately; finding the position of this rank takes a moment.
    if let Some(sample) = sample {
        let unknown = ThreadActivity { activity: Activity::Computing, line: None };
        let doing = sample.map_or(unknown, |sample| sample.activity());
        member.report(&TestEvent::Activity(id.clone(), rank, doing));
    }
    Some(member)
}

/// The exit hook: an orderly end, or `exit` in the middle of a run. The hook runs on the thread that exits.
fn on_exit() {
    if let Some(member) = end_run(CurrentRun::take, RankOutcome::Exited) {
        member.wait_for_end();
    }
    if let Some(member) = MEMBER.get() {
        // This process may outlive its coordinator.
        member.link.permit_end();
        member.report(&TestEvent::Exiting);
    }
}

/// The rank on this thread has requested more memory than available: its process ends.
fn report_out_of_memory(exhausted: &OutOfMemory) {
    let Some(member) = MEMBER.get() else { return };
    let Some(run) = member.current_run.take() else { return };
    let (id, rank) = (&run.test_case.id, member.calling_rank());
    let (stage, text) = (run.stage(rank), exhausted.amount(Lang::from_environment()));
    let report = RankReport { stage, text, ..RankReport::new(rank, RankOutcome::OutOfMemory) };
    member.report(&TestEvent::RanksEnded(id.clone(), vec![report]));
    let activity = ThreadActivity { activity: Activity::Computing, line: exhausted.user_line() };
    member.report(&TestEvent::Activity(id.clone(), rank, activity));
    member.wait_for_end();
}

/// A thread or process does not end after a test, whose verdict may have been reported already.
fn report_unterminated(id: RunId, found: RunningThread) {
    let Some(member) = MEMBER.get() else { return };
    let doing = found.sample.map(|sample| sample.activity());
    let ranks = member.rank.as_ref().map_or_else(|| (0..id.ranks).collect(), |process| vec![process.rank]);
    member.report(&TestEvent::Unterminated(id, ranks, doing));
    member.wait_for_end();
}

/// The launcher asks this process to end, as it does when another rank is lost: it has a moment to report its position.
/// A rank that has already left its run, and waits for the lost one, has that moment, too.
fn on_sigterm() {
    if let Some(member) = end_run(CurrentRun::take, RankOutcome::Unresponsive) {
        member.wait_for_end();
    }
    thread::sleep(SIGTERM_GRACE);
}
