//! This process as a member of a job: it executes its rank's runs and synchronises with the others after each.
//!
//! One run has three steps that every rank writes: *ready* before it, *end* when this rank has left it, *swept* after
//! the search for messages left behind. At the last two every rank waits for all others. The watchdog or the exit hook
//! notes the end of a rank that cannot do so itself (it hangs, it called `exit`); then the job is over, and the process
//! leaves without finalising the library.
use std::{
    collections::BTreeMap,
    io,
    panic::resume_unwind,
    path::{Path, PathBuf},
    rc::Rc,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use wb_comm::{Error, JobHandle, ProcessRanks, Rank, ThreadRanks, Transport};
use wb_process::children;
use wb_runner::{Backends, run_folder};
use wb_task::Progress;
use wb_world::{FrameworkCalls as _, World};

use crate::{
    evidence::{
        TestEvidence,
        journal::{JournalEvent, LeakReport},
        rank_report::{RankOutcome, RankReport},
    },
    job_protocol::{CHECKING_TIMEOUT, STEP_TIMEOUT},
    judge::run_verdict::judge,
    rank_side::{
        captured_output::CapturedOutput,
        job_end::{self, JobEndReporter, JobMember},
        rendezvous::{Rendezvous, SyncError},
        termination,
        watchdog::RunPhase,
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
    /// The folder of the run cannot be used.
    #[error(transparent)]
    Folder(#[from] io::Error),
}

pub(crate) struct RankWorker {
    member: Arc<JobMember>,
    threads: &'static dyn ThreadRanks,
    /// One test at a time.
    test_lock: Mutex<()>,
}

impl RankWorker {
    /// Joins the job of this process; `folder` is that of the run, or agreed on with the others when there is none yet.
    pub(crate) fn join(
        backends: Backends,
        processes: &'static dyn ProcessRanks,
        announced: Option<usize>,
        folder: Option<&Path>,
        reporter: Box<dyn JobEndReporter>,
    ) -> Result<Self, JoinError> {
        let handle = processes.init()?;
        let (rank, size) = (handle.rank(), handle.size());
        if let Some(announced) = announced.filter(|&announced| announced != size) {
            return Err(JoinError::SizeMismatch { announced, size });
        }
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => broadcast_folder(&*handle)?,
        };
        children::become_subreaper()?;
        let member = Arc::new(JobMember {
            rank,
            size,
            processes,
            replay_threads: backends.retelling,
            rendezvous: Rendezvous::open(&folder, rank, size)?,
            watchdog: Arc::default(),
            captured_output: CapturedOutput::new(&folder),
            reporter,
            children: children::current_children(),
        });
        member.install()?;
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

    /// Executes all runs of a test at one number of ranks on this rank, up to the first that fails. All its runs have
    /// one communicator, and no other test has it; they have a thread, whose thread-local values are dropped at their end.
    pub(crate) fn run(
        &self,
        name: &str,
        ranks: usize,
        test_runs: &[Arc<dyn TestRun>],
    ) -> Result<TestEvidence, SyncError> {
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
    ) -> Result<TestEvidence, SyncError> {
        termination::begin();
        let handle = self.member.processes.init().map_err(io::Error::other)?;
        let id = erased_test::run_id(name, ranks);
        self.sync_step(&JournalEvent::Test { id: id.clone(), inputs: test_runs.len() }, STEP_TIMEOUT)?;
        let mut evidence = TestEvidence { inputs: test_runs.len(), ..TestEvidence::default() };
        let Some(mut last) = test_runs.first().map(|test_run| test_run.test_case()) else {
            self.sync_step(&JournalEvent::Done(id), STEP_TIMEOUT)?;
            return Ok(evidence);
        };
        let opened = self.with_watchdog(last, RunPhase::Opening, || handle.open_communicator(ranks))?;
        let mut is_right = true;
        for (number, test_run) in test_runs.iter().enumerate() {
            last = test_run.test_case();
            let run = evidence.runs.entry(number).or_default();
            let entries = self.run_once(opened.as_ref(), &**test_run)?;
            run.reports.extend(entries.into_iter().map(|entry| (entry.rank, entry)));
            for swept in self.find_leaks(&*handle, last, &run.reports)? {
                run.leaks.merge(&swept);
            }
            // All ranks see the same entries, so all of them stop here or none.
            is_right = judge(last, run).is_none();
            if !is_right {
                break;
            }
        }
        drop(opened);
        let close = || if is_right { handle.free_communicators() } else { handle.close_after_failure() };
        self.with_watchdog(last, RunPhase::FindingLeaks, close)?;
        self.sync_step(&JournalEvent::Done(id), STEP_TIMEOUT)?;
        if last.limit.is_some() {
            termination::watch_termination(last.id.clone(), job_end::report_unterminated);
        }
        Ok(evidence)
    }

    /// Notes a step and waits until all have noted theirs; meanwhile the library continues what they wait for.
    fn sync_step(&self, event: &JournalEvent, patience: Duration) -> Result<Vec<JournalEvent>, SyncError> {
        self.member.rendezvous.sync_step(event, patience, || self.member.processes.progress())
    }

    /// Calls of the library that belong to no run, but may not end either.
    fn with_watchdog<R>(
        &self,
        test_case: &TestCase,
        phase: RunPhase,
        work: impl FnOnce() -> wb_comm::Result<R>,
    ) -> io::Result<R> {
        self.member.watchdog.begin(test_case, phase, &Arc::default());
        let result = work();
        if self.member.watchdog.take().is_none() {
            job_end::park_forever();
        }
        result.map_err(io::Error::other)
    }

    /// One run of this rank; returns the entries of all.
    fn run_once(
        &self,
        transport: Option<&Rc<dyn Transport>>,
        test_run: &dyn TestRun,
    ) -> Result<Vec<RankReport>, SyncError> {
        let test_case = test_run.test_case();
        self.member.rendezvous.append(&JournalEvent::Ready(test_case.id.clone()))?;
        let progress = Arc::new(Progress::default());
        self.member.captured_output.begin();
        let notes = TraceBuffer::default();
        self.member.watchdog.begin_traced(test_case, RunPhase::Stages, &progress, &notes);
        let entry = match transport {
            Some(transport) => {
                let came =
                    test_run.run_stages(TracingTransport::world(Rc::clone(transport), &notes), &progress);
                self.member.watchdog.enter(RunPhase::Checking);
                if self.member.rank == test_case.home_rank && came.panic.is_none() {
                    test_run.compute_reference(self.threads);
                }
                test_run.evaluate(came)
            }
            None => RankReport::new(self.member.rank, RankOutcome::NotParticipating),
        };
        let Some(watched) = self.member.watchdog.take() else { job_end::park_forever() };
        let said = if entry.is_failure() { self.member.captured_output.tail() } else { String::new() };
        let transcript = notes.encode(entry.is_failure());
        let entry = RankReport { output_tail: said, trace: transcript, ..entry }.with_unreported(&progress);
        match self.sync_step(
            &JournalEvent::RankEnded(test_case.id.clone(), Box::new(entry)),
            CHECKING_TIMEOUT + STEP_TIMEOUT,
        ) {
            Ok(all) if all.iter().any(is_fatal) => self.member.abort_job(&watched),
            Ok(all) => Ok(all.into_iter().filter_map(into_report).collect()),
            Err(SyncError::Exited(_) | SyncError::TimedOut(..)) => self.member.abort_job(&watched),
            Err(other) => Err(other),
        }
    }

    /// The leaks of a run that every rank has completed; found and freed by all.
    fn find_leaks(
        &self,
        handle: &dyn JobHandle,
        test_case: &TestCase,
        entries: &BTreeMap<Rank, RankReport>,
    ) -> Result<Vec<LeakReport>, SyncError> {
        let (sends, receives) = entries
            .values()
            .fold((0, 0), |(sends, receives), e| (sends + e.counts.sends, receives + e.counts.receives));
        let patience = if sends == receives { Duration::ZERO } else { LEAK_SEARCH_TIMEOUT };
        let findings =
            self.with_watchdog(test_case, RunPhase::FindingLeaks, || handle.find_leaks(patience))?;
        let swept = LeakReport {
            findings,
            replayed: self.member.replay_findings(test_case, entries),
            processes: self.member.end_children(),
        };
        let all = self.sync_step(&JournalEvent::Leaks(test_case.id.clone(), swept), STEP_TIMEOUT)?;
        let swept = |event| if let JournalEvent::Leaks(_, swept) = event { Some(swept) } else { None };
        Ok(all.into_iter().filter_map(swept).collect())
    }
}

/// Rank 0 creates the folder and sends its path to the others through the library, the only channel that they share so
/// far.
fn broadcast_folder(handle: &dyn JobHandle) -> Result<PathBuf, JoinError> {
    let mine = if handle.rank() == 0 { Some(run_folder::create()?) } else { None };
    let bytes = mine.as_ref().map(|path| path.to_string_lossy().into_owned().into_bytes());
    let transport =
        handle.open_communicator(handle.size())?.expect("a communicator of all ranks has this one");
    let received = World::new(Rc::clone(&transport)).broadcast_bytes(0, bytes.as_deref());
    drop(transport);
    handle.free_communicators()?;
    Ok(PathBuf::from(String::from_utf8_lossy(&received?).into_owned()))
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
