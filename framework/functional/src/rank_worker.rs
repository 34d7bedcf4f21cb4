//! This process as a member of a job: takes its rank through the runs and agrees with the others after each.
//!
//! One run has three steps that everybody notes: *ready* before it, *end* when this rank is out, *swept* when messages
//! left behind were looked for; for the last two everybody waits for everybody. A rank that cannot note its end (it
//! hangs, it called `exit`) has it noted by its watchdog or its exit hook; then the job is over, and the process leaves
//! without the library's farewell.
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
    rc::Rc,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::{Duration, Instant},
};

use wb_comm::{Error, Finding, JobHandle, ProcessRanks, Rank, ThreadRanks, Transport};
use wb_process::{
    children,
    out_of_memory::{self, OutOfMemory},
    stack::{Activity, ThreadActivity},
    thread_exit::{self, RunningThread},
};
use wb_task::Progress;
use wb_worker::{Backends, run_folder};
use wb_world::World;

use super::{
    backend_job::JOB_VARIABLE,
    call_trace::{TraceBuffer, TracingTransport},
    captured_output::CapturedOutput,
    erased_test,
    evidence::TestEvidence,
    journal::{JournalEvent, LeakReport},
    judge, launched, memory_failure,
    rank_report::{RankOutcome, RankReport},
    rendezvous::{Rendezvous, SyncError},
    replay::{self, ReplayThreads},
    report::BackendLabel,
    test_case::{RunId, TestCase},
    test_run::TestRun,
    unterminated,
    watchdog::{CHECKING_TIMEOUT, RunPhase, Watchdog, WatchedRun},
};

/// How long messages that must be somewhere are looked for.
const LEAK_SEARCH_TIMEOUT: Duration = Duration::from_millis(100);

/// How long everybody may take to come to a step: the others may be computing, checking, or starting up.
pub(super) const STEP_TIMEOUT: Duration = Duration::from_secs(30);

/// How long those who leave wait for each other's last entries.
const FINAL_REPORT_TIMEOUT: Duration = Duration::from_millis(1500);

/// How long a rank that computes may take to find out where: it reads the debug information of the whole program.
pub(super) const LOCATE_TIMEOUT: Duration = Duration::from_secs(10);

/// How long ranks above 0 wait for rank 0's report before they leave: a launcher kills the rest of a job that loses one.
const REPORT_TIMEOUT: Duration = Duration::from_secs(15);

/// How long a rank that was asked to end may go on by itself.
const SIGTERM_GRACE: Duration = Duration::from_millis(500);

/// The exit code of a process that leaves a run it could not end; libtest's own for failed tests.
pub(super) const EXIT_FAILED: i32 = 101;

/// Why this process cannot take part.
#[derive(Debug, thiserror::Error)]
pub(super) enum JoinError {
    /// The library refuses.
    #[error(transparent)]
    Library(#[from] Error),
    /// The job is not the one that was announced.
    #[error("{announced} ranks announced, {size} there")]
    SizeMismatch {
        /// By the launcher.
        announced: usize,
        /// By the library.
        size: usize,
    },
    /// The folder of the run cannot be used.
    #[error(transparent)]
    Folder(#[from] io::Error),
}

/// What a process does when a run ends the job: rank 0 of a job that nobody watches tells about it.
pub(super) type AbortHook = Box<dyn Fn(&Rendezvous, &TestCase) + Send + Sync>;

/// See the module.
pub(super) struct RankWorker {
    pub(super) rank: usize,
    pub(super) size: usize,
    processes: &'static dyn ProcessRanks,
    threads: &'static dyn ThreadRanks,
    replay_threads: ReplayThreads,
    rendezvous: Arc<Rendezvous>,
    watchdog: Arc<Watchdog>,
    captured_output: CapturedOutput,
    on_abort: AbortHook,
    /// The processes below this one that are none of a task's.
    children: BTreeSet<u32>,
    /// One test at a time.
    test_lock: Mutex<()>,
}

/// The member that this process is, for the exit hook.
static WORKER: OnceLock<Arc<RankWorker>> = OnceLock::new();

impl RankWorker {
    /// Joins the job of this process; `folder` is that of the run, or agreed on with the others when there is none yet.
    pub(super) fn join(
        backends: Backends,
        processes: &'static dyn ProcessRanks,
        announced: Option<usize>,
        folder: Option<&Path>,
        farewell: AbortHook,
    ) -> Result<Arc<Self>, JoinError> {
        let seat = processes.init()?;
        let (rank, size) = (seat.rank(), seat.size());
        if let Some(announced) = announced.filter(|&announced| announced != size) {
            return Err(JoinError::SizeMismatch { announced, size });
        }
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => broadcast_folder(&*seat)?,
        };
        children::become_subreaper()?;
        let member = Arc::new(Self {
            rank,
            size,
            processes,
            threads: backends.threads,
            replay_threads: backends.retelling,
            rendezvous: Arc::new(Rendezvous::open(&folder, rank, size)?),
            watchdog: Arc::default(),
            captured_output: CapturedOutput::new(&folder),
            on_abort: farewell,
            children: children::current_children(),
            test_lock: Mutex::new(()),
        });
        member.start_watchdog()?;
        if WORKER.set(Arc::clone(&member)).is_ok() {
            thread_exit::register_exit_hook()?;
            wb_process::at_exit(on_exit);
            wb_process::on_sigterm(on_sigterm)?;
            out_of_memory::on_out_of_memory(report_out_of_memory)?;
        }
        Ok(member)
    }

    fn start_watchdog(self: &Arc<Self>) -> io::Result<()> {
        let (board, member) = (Arc::clone(&self.rendezvous), Arc::clone(self));
        // A journal that cannot be read shows nothing; the limit still ends the run.
        let somebody_failed = move |question: &TestCase| board.has_failure(&question.id).unwrap_or(false);
        self.watchdog.start(somebody_failed, move |run| member.end_run(&run, RankOutcome::Unresponsive))
    }

    /// Waits until no other test of this process is in the job.
    pub(super) fn test_lock(&self) -> MutexGuard<'_, ()> {
        self.test_lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes this rank through all runs of a test at one number of ranks, up to the first that fails. All its runs have
    /// one communicator, and no other test has it.
    pub(super) fn run(
        &self,
        name: &str,
        ranks: usize,
        trials: &[Arc<dyn TestRun>],
    ) -> Result<TestEvidence, SyncError> {
        unterminated::begin();
        let seat = self.processes.init().map_err(io::Error::other)?;
        let id = erased_test::run_id(name, ranks);
        self.rendezvous
            .sync_step(&JournalEvent::Test { id: id.clone(), inputs: trials.len() }, STEP_TIMEOUT)?;
        let mut evidence = TestEvidence { inputs: trials.len(), ..TestEvidence::default() };
        let Some(mut last) = trials.first().map(|trial| trial.test_case()) else {
            self.rendezvous.sync_step(&JournalEvent::Done(id), STEP_TIMEOUT)?;
            return Ok(evidence);
        };
        let opened = self.with_watchdog(last, RunPhase::Opening, || seat.open_communicator(ranks))?;
        let mut is_right = true;
        for (number, trial) in trials.iter().enumerate() {
            last = trial.test_case();
            let run = evidence.runs.entry(number).or_default();
            let entries = self.run_once(opened.as_ref(), &**trial)?;
            run.reports.extend(entries.into_iter().map(|entry| (entry.rank, entry)));
            for swept in self.find_leaks(&*seat, last, &run.reports)? {
                run.leaks.merge(&swept);
            }
            // Everybody sees the same entries, so everybody stops here or nobody.
            is_right = judge::judge(last, run).is_none();
            if !is_right {
                break;
            }
        }
        drop(opened);
        let close = || if is_right { seat.free_communicators() } else { seat.close_after_failure() };
        self.with_watchdog(last, RunPhase::FindingLeaks, close)?;
        self.rendezvous.sync_step(&JournalEvent::Done(id), STEP_TIMEOUT)?;
        if last.limit.is_some() {
            unterminated::watch_termination(last.id.clone(), report_unterminated);
        }
        Ok(evidence)
    }

    /// Work with the library that belongs to no run, but may not end either.
    fn with_watchdog<R>(
        &self,
        question: &TestCase,
        phase: RunPhase,
        work: impl FnOnce() -> wb_comm::Result<R>,
    ) -> io::Result<R> {
        self.watchdog.begin(question, phase, &Arc::default());
        let result = work();
        if self.watchdog.take().is_none() {
            park_forever();
        }
        result.map_err(io::Error::other)
    }

    /// One run of this rank; the entries of all.
    fn run_once(
        &self,
        transport: Option<&Rc<dyn Transport>>,
        trial: &dyn TestRun,
    ) -> Result<Vec<RankReport>, SyncError> {
        let question = trial.test_case();
        self.rendezvous.append(&JournalEvent::Ready(question.id.clone()))?;
        let progress = Arc::new(Progress::default());
        self.captured_output.begin();
        let notes = TraceBuffer::default();
        self.watchdog.begin_traced(question, RunPhase::Stages, &progress, &notes);
        let entry = match transport {
            Some(transport) => {
                let came = trial.run_stages(TracingTransport::world(Rc::clone(transport), &notes), &progress);
                self.watchdog.enter(RunPhase::Checking);
                if self.rank == question.home_rank && came.panic.is_none() {
                    trial.compute_reference(self.threads);
                }
                trial.evaluate(came)
            }
            None => RankReport::new(self.rank, RankOutcome::NotParticipating),
        };
        let Some(watched) = self.watchdog.take() else { park_forever() };
        let said = if entry.is_failure() { self.captured_output.tail() } else { String::new() };
        let transcript = notes.encode(entry.is_failure());
        let entry = RankReport { output_tail: said, trace: transcript, ..entry };
        match self.rendezvous.sync_step(
            &JournalEvent::RankEnded(question.id.clone(), Box::new(entry)),
            CHECKING_TIMEOUT + STEP_TIMEOUT,
        ) {
            Ok(all) if all.iter().any(is_fatal) => self.abort_job(&watched),
            Ok(all) => Ok(all.into_iter().filter_map(into_report).collect()),
            Err(SyncError::Exited(_) | SyncError::TimedOut(..)) => self.abort_job(&watched),
            Err(other) => Err(other),
        }
    }

    /// What was left of a run that everybody came out of; found and freed by all.
    fn find_leaks(
        &self,
        seat: &dyn JobHandle,
        question: &TestCase,
        entries: &BTreeMap<Rank, RankReport>,
    ) -> Result<Vec<LeakReport>, SyncError> {
        let (sends, receives) = entries
            .values()
            .fold((0, 0), |(sends, receives), e| (sends + e.counts.sends, receives + e.counts.receives));
        let patience = if sends == receives { Duration::ZERO } else { LEAK_SEARCH_TIMEOUT };
        let findings = self.with_watchdog(question, RunPhase::FindingLeaks, || seat.find_leaks(patience))?;
        let swept = LeakReport {
            findings,
            replayed: self.replay_findings(question, entries),
            processes: self.end_children(),
        };
        let all =
            self.rendezvous.sync_step(&JournalEvent::Leaks(question.id.clone(), swept), STEP_TIMEOUT)?;
        let swept = |event| if let JournalEvent::Leaks(_, swept) = event { Some(swept) } else { None };
        Ok(all.into_iter().filter_map(swept).collect())
    }

    /// Ends the processes that the task has left, and names them.
    fn end_children(&self) -> Vec<String> {
        children::kill_others(&self.children).iter().map(ToString::to_string).collect()
    }

    /// What the transcripts of all say together: rank 0 finds out for all.
    fn replay_findings(&self, question: &TestCase, entries: &BTreeMap<Rank, RankReport>) -> Vec<Finding> {
        if self.rank > 0 { vec![] } else { replay::findings(question.id.ranks, entries, self.replay_threads) }
    }

    /// Notes how this rank's run ends and leaves. Called by the watchdog or the exit hook, which took the run.
    fn end_run(&self, run: &WatchedRun, how: RankOutcome) -> ! {
        let standing = if how == RankOutcome::Unresponsive { self.processes.blocked_call() } else { None };
        let (said, transcript) = (self.captured_output.tail(), run.trace.encode(true));
        self.end_with_report(
            run,
            RankReport {
                blocked_in: standing,
                output_tail: said,
                trace: transcript,
                ..run.rank_report(self.rank, how)
            },
        )
    }

    /// Notes `entry` as the end of this rank's run, and leaves.
    fn end_with_report(&self, run: &WatchedRun, entry: RankReport) -> ! {
        // If the journal cannot be written, the missing record tells.
        let id = &run.test_case.id;
        let sample = if entry.is_late_outside_calls() { Some(run.sample()) } else { None };
        let _unwritten = self.rendezvous.append(&JournalEvent::RankEnded(id.clone(), Box::new(entry)));
        // The others need the end at once; where this one was takes a moment to find out.
        if let Some(sample) = sample {
            let unknown = ThreadActivity { activity: Activity::Computing, line: None };
            let doing = sample.map_or(unknown, |sample| sample.activity());
            let _unwritten = self.rendezvous.append(&JournalEvent::Activity(id.clone(), self.rank, doing));
        }
        self.abort_job(run)
    }

    /// Leaves a job that cannot go on, when the last entries are in and rank 0 has told.
    fn abort_job(&self, run: &WatchedRun) -> ! {
        let question = &run.test_case;
        self.processes.skip_finalize();
        let all_in = || self.rendezvous.have_all_ended(&question.id).unwrap_or(true);
        wait_for(FINAL_REPORT_TIMEOUT, all_in);
        wait_for(LOCATE_TIMEOUT, || self.rendezvous.are_all_located(&question.id).unwrap_or(true));
        if self.rank == 0 {
            self.diagnose(run);
            (self.on_abort)(&self.rendezvous, question);
            let _unwritten = self.rendezvous.append(&JournalEvent::ReportShown);
        } else {
            wait_for(REPORT_TIMEOUT, || self.rendezvous.is_report_shown().unwrap_or(true));
        }
        // What is left below holds the launcher's pipes open.
        self.end_children();
        run_folder::remove_all();
        wb_process::exit_now(EXIT_FAILED)
    }
}

impl RankWorker {
    /// Finds out why a run ends its job. What cannot be read or written then is missed by who judges.
    fn diagnose(&self, run: &WatchedRun) {
        let RunId { test: case, ranks, input } = &run.test_case.id;
        let evidence = self.rendezvous.evidence().unwrap_or_default();
        let this = evidence.tests.get(&(case.clone(), *ranks)).and_then(|case| case.runs.get(input));
        let retold = this.map(|this| self.replay_findings(&run.test_case, &this.reports)).unwrap_or_default();
        let named = JournalEvent::Diagnosed(run.test_case.id.clone(), run.elapsed(), retold);
        let _unwritten = self.rendezvous.append(&named);
    }
}

/// Rank 0 makes the folder and tells the others, by the library: it is the only thing they share yet.
fn broadcast_folder(seat: &dyn JobHandle) -> Result<PathBuf, JoinError> {
    let mine = if seat.rank() == 0 { Some(run_folder::create()?) } else { None };
    let bytes = mine.as_ref().map(|path| path.to_string_lossy().into_owned().into_bytes());
    let transport = seat.open_communicator(seat.size())?.expect("a communicator of all ranks has this one");
    let told = World::new(Rc::clone(&transport)).broadcast_bytes(0, bytes.as_deref());
    drop(transport);
    seat.free_communicators()?;
    Ok(PathBuf::from(String::from_utf8_lossy(&told?).into_owned()))
}

/// The exit hook: an orderly end, or `exit` in the middle of a run.
fn on_exit() {
    let Some(member) = WORKER.get() else { return };
    match member.watchdog.take() {
        Some(run) => member.end_run(&run, RankOutcome::Exited),
        // Nobody is left to hear of a failure here; the missing goodbye is noticed.
        None => drop(member.rendezvous.append(&JournalEvent::Exiting)),
    }
}

/// The rank has asked for more memory than there is: its process ends with it.
fn report_out_of_memory(exhausted: &OutOfMemory) {
    let Some(member) = WORKER.get() else { return };
    if let Some(run) = member.watchdog.take() {
        let stage = run.rank_report(member.rank, RankOutcome::OutOfMemory).stage;
        let id = &run.test_case.id;
        let entry = memory_failure::rank_report(member.rank, stage, exhausted);
        // What cannot be written is missed by who judges.
        let _unwritten = member.rendezvous.append(&JournalEvent::RankEnded(id.clone(), Box::new(entry)));
        let located = JournalEvent::Activity(id.clone(), member.rank, memory_failure::activity(exhausted));
        let _unwritten = member.rendezvous.append(&located);
        member.abort_job(&run);
    }
}

/// This rank does not end after a test, whose verdict its process may have told already.
fn report_unterminated(id: RunId, found: RunningThread) {
    let Some(member) = WORKER.get() else { return };
    let doing = found.sample.map(|sample| sample.activity());
    let entry = RankReport::new(member.rank, RankOutcome::Returned).into_unterminated(doing.clone());
    // A job of ours leaves the telling to who started it.
    if std::env::var_os(JOB_VARIABLE).is_none() {
        launched::report_unterminated(&BackendLabel::processes(&member.processes.library()), &id, &entry);
    }
    let _unwritten = member.rendezvous.append(&JournalEvent::Unterminated(id, vec![member.rank], doing));
    wb_process::exit_now(EXIT_FAILED)
}

/// The launcher asks this process to end, as it does when another rank is lost: it has a moment to say where it stood. A
/// rank that is already out of its run, and waits for the lost one's entry, finds out by itself in that moment.
fn on_sigterm() {
    let Some(member) = WORKER.get() else { return };
    match member.watchdog.take() {
        Some(run) => member.end_run(&run, RankOutcome::Unresponsive),
        None => std::thread::sleep(SIGTERM_GRACE),
    }
}

/// Somebody else is ending this process: nothing may happen on this thread any more.
fn park_forever() -> ! {
    loop {
        std::thread::park();
    }
}

fn wait_for(patience: Duration, done: impl Fn() -> bool) {
    let start = Instant::now();
    while !done() && start.elapsed() < patience {
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn is_fatal(event: &JournalEvent) -> bool {
    matches!(event, JournalEvent::RankEnded(_, entry) if entry.is_fatal())
}

fn into_report(event: JournalEvent) -> Option<RankReport> {
    match event {
        JournalEvent::RankEnded(_, entry) => Some(*entry),
        _ => None,
    }
}
