//! How a rank leaves a job that cannot continue: its last entries, the diagnosis, the report of rank 0, and the exit.
//!
//! The watchdog, the exit hook, the signal handler and the allocator call this module. Only the one that takes the run
//! out of the watchdog writes its end.
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use wb_comm::{Finding, ProcessRanks, Rank, panic_place::RankStop};
use wb_process::{
    children,
    out_of_memory::{self, OutOfMemory},
    stack::{Activity, ThreadActivity},
    thread_exit::{self, RunningThread},
};
use wb_runner::run_folder;

use crate::{
    evidence::{
        journal::JournalEvent,
        rank_report::{RankOutcome, RankReport},
    },
    job_protocol::{EXIT_FAILED, LOCATE_TIMEOUT},
    judge::memory_failure,
    rank_side::{
        captured_output::CapturedOutput,
        rendezvous::Rendezvous,
        watchdog::{Watchdog, WatchedRun},
    },
    replay::replay_input::{self, ReplayThreads},
    test::test_case::{RunId, TestCase},
};

/// How long leaving ranks wait for each other's last entries.
const FINAL_REPORT_TIMEOUT: Duration = Duration::from_millis(1500);

/// How long ranks above 0 wait for rank 0's report before they leave: a launcher kills the rest of a job that loses one.
const REPORT_TIMEOUT: Duration = Duration::from_secs(15);

/// How long a rank that was asked to end may continue by itself.
const SIGTERM_GRACE: Duration = Duration::from_millis(500);

/// Reports to the user that a job has ended early. Only a job that no other process of ours watches needs one.
pub(crate) trait JobEndReporter: Send + Sync {
    /// A run ends the job. Called on rank 0.
    fn report_aborted(&self, rendezvous: &Rendezvous, test_case: &TestCase);

    /// This rank does not end after a test, whose verdict may have been reported already.
    fn report_unterminated(&self, id: &RunId, report: &RankReport);
}

/// The process that started the job reports for it.
pub(crate) struct ParentReports;

impl JobEndReporter for ParentReports {
    fn report_aborted(&self, _: &Rendezvous, _: &TestCase) {}

    fn report_unterminated(&self, _: &RunId, _: &RankReport) {}
}

/// This process as a member of its job.
pub(crate) struct JobMember {
    pub(crate) rank: usize,
    pub(crate) size: usize,
    pub(crate) processes: &'static dyn ProcessRanks,
    pub(crate) replay_threads: ReplayThreads,
    pub(crate) rendezvous: Rendezvous,
    pub(crate) watchdog: Arc<Watchdog>,
    pub(crate) captured_output: CapturedOutput,
    pub(crate) reporter: Box<dyn JobEndReporter>,
    /// The processes below this one that the task has not started.
    pub(crate) children: BTreeSet<u32>,
}

/// The member that this process is, for the hooks.
static MEMBER: OnceLock<Arc<JobMember>> = OnceLock::new();

impl JobMember {
    /// Starts the watchdog and, for the first member of this process, installs the hooks that end its run.
    pub(crate) fn install(self: &Arc<Self>) -> io::Result<()> {
        self.start_watchdog()?;
        if MEMBER.set(Arc::clone(self)).is_ok() {
            thread_exit::register_exit_hook()?;
            wb_process::at_exit(on_exit);
            wb_process::on_sigterm(on_sigterm)?;
            out_of_memory::on_out_of_memory(report_out_of_memory)?;
        }
        Ok(())
    }

    fn start_watchdog(self: &Arc<Self>) -> io::Result<()> {
        let (observer, member) = (Arc::clone(self), Arc::clone(self));
        // A journal that cannot be read shows nothing; the limit still ends the run.
        let has_failure =
            move |test_case: &TestCase| observer.rendezvous.has_failure(&test_case.id).unwrap_or(false);
        self.watchdog.start(has_failure, move |run| member.end_run(&run, RankOutcome::Unresponsive))
    }

    /// Ends the processes that the task has left, and returns their names.
    pub(crate) fn end_children(&self) -> Vec<String> {
        children::kill_others(&self.children).iter().map(ToString::to_string).collect()
    }

    /// The findings of the replay of all transcripts: rank 0 computes them for all.
    pub(crate) fn replay_findings(
        &self,
        test_case: &TestCase,
        entries: &BTreeMap<Rank, RankReport>,
    ) -> Vec<Finding> {
        if self.rank > 0 || entries.values().any(|entry| entry.ongoing_calls.is_some()) {
            vec![]
        } else {
            replay_input::findings(test_case.id.ranks, entries, self.replay_threads)
        }
    }

    /// Notes how this rank's run ends and leaves. Called by the watchdog or the exit hook, which took the run.
    fn end_run(&self, run: &WatchedRun, how: RankOutcome) -> ! {
        let is_late = how == RankOutcome::Unresponsive;
        let ongoing_calls = if is_late { run.ongoing_calls() } else { None };
        let standing = || self.processes.blocked_call().or_else(|| run.blocking_poll(self.rank));
        let standing = if is_late { standing() } else { None };
        let (said, transcript) = (self.captured_output.tail(), run.trace.encode(true));
        self.end_with_report(
            run,
            RankReport {
                blocked_in: standing,
                ongoing_calls,
                output_tail: said,
                trace: transcript,
                ..run.rank_report(self.rank, how)
            },
        )
    }

    /// Notes `entry` as the end of this rank's run, and leaves.
    fn end_with_report(&self, run: &WatchedRun, entry: RankReport) -> ! {
        // If the journal cannot be written, the missing record is noticed.
        let id = &run.test_case.id;
        let sample = if entry.is_late_outside_calls() { Some(run.sample()) } else { None };
        let _unwritten = self.rendezvous.append(&JournalEvent::RankEnded(id.clone(), Box::new(entry)));
        // The others need the end immediately; finding the position of this rank takes a moment.
        if let Some(sample) = sample {
            let unknown = ThreadActivity { activity: Activity::Computing, line: None };
            let doing = sample.map_or(unknown, |sample| sample.activity());
            let _unwritten = self.rendezvous.append(&JournalEvent::Activity(id.clone(), self.rank, doing));
        }
        self.abort_job(run)
    }

    /// Leaves a job that cannot continue, after the last entries are written and rank 0 has reported.
    pub(crate) fn abort_job(&self, run: &WatchedRun) -> ! {
        let test_case = &run.test_case;
        self.processes.skip_finalize();
        let all_in = || self.rendezvous.have_all_ended(&test_case.id).unwrap_or(true);
        wait_for(FINAL_REPORT_TIMEOUT, all_in);
        wait_for(LOCATE_TIMEOUT, || self.rendezvous.are_all_located(&test_case.id).unwrap_or(true));
        if self.rank == 0 {
            self.diagnose(run);
            self.reporter.report_aborted(&self.rendezvous, test_case);
        } else {
            wait_for(REPORT_TIMEOUT, || self.rendezvous.is_report_shown().unwrap_or(true));
        }
        let _unwritten = self.rendezvous.append(&JournalEvent::Aborting);
        let code = self.abort_code(&test_case.id);
        // Remaining descendants hold the launcher's pipes open.
        self.end_children();
        run_folder::remove_all();
        wb_process::exit_now(code.unwrap_or(EXIT_FAILED))
    }

    /// The exit code of a job that a rank has ended by `abort`, if one of this run has; none that would mean success.
    fn abort_code(&self, RunId { test, ranks, input }: &RunId) -> Option<i32> {
        let evidence = self.rendezvous.evidence().ok()?;
        let reports = &evidence.tests.get(&(test.clone(), *ranks))?.runs.get(input)?.reports;
        reports.values().find_map(|report| match report.stop? {
            RankStop::Abort { code, .. } => Some(code).filter(|code| code & 0xff != 0),
            RankStop::EndlessClockWait => None,
        })
    }

    /// Finds out why a run ends its job. Entries that cannot be read or written then are detected as missing by the
    /// judge.
    fn diagnose(&self, run: &WatchedRun) {
        let RunId { test: case, ranks, input } = &run.test_case.id;
        let evidence = self.rendezvous.evidence().unwrap_or_default();
        let this = evidence.tests.get(&(case.clone(), *ranks)).and_then(|case| case.runs.get(input));
        let retold = this.map(|this| self.replay_findings(&run.test_case, &this.reports)).unwrap_or_default();
        let named = JournalEvent::Diagnosed(run.test_case.id.clone(), run.elapsed(), retold);
        let _unwritten = self.rendezvous.append(&named);
    }
}

/// The exit hook: an orderly end, or `exit` in the middle of a run.
fn on_exit() {
    let Some(member) = MEMBER.get() else { return };
    match member.watchdog.take() {
        Some(run) => member.end_run(&run, RankOutcome::Exited),
        // A failure cannot be reported here; the missing event is noticed.
        None => drop(member.rendezvous.append(&JournalEvent::Exiting)),
    }
}

/// The rank has requested more memory than available: its process ends.
fn report_out_of_memory(exhausted: &OutOfMemory) {
    let Some(member) = MEMBER.get() else { return };
    if let Some(run) = member.watchdog.take() {
        let stage = run.rank_report(member.rank, RankOutcome::OutOfMemory).stage;
        let id = &run.test_case.id;
        let entry = memory_failure::rank_report(member.rank, stage, exhausted);
        // A missing entry is detected by the judge.
        let _unwritten = member.rendezvous.append(&JournalEvent::RankEnded(id.clone(), Box::new(entry)));
        let located = JournalEvent::Activity(id.clone(), member.rank, memory_failure::activity(exhausted));
        let _unwritten = member.rendezvous.append(&located);
        member.abort_job(&run);
    }
}

/// This rank does not end after a test, whose verdict its process may have reported already.
pub(crate) fn report_unterminated(id: RunId, found: RunningThread) {
    let Some(member) = MEMBER.get() else { return };
    let doing = found.sample.map(|sample| sample.activity());
    let entry = RankReport::new(member.rank, RankOutcome::Returned).into_unterminated(doing.clone());
    member.reporter.report_unterminated(&id, &entry);
    let _unwritten = member.rendezvous.append(&JournalEvent::Unterminated(id, vec![member.rank], doing));
    wb_process::exit_now(EXIT_FAILED)
}

/// The launcher asks this process to end, as it does when another rank is lost: it has a moment to report its position.
/// A rank that has already left its run, and waits for the lost one's entry, detects the loss itself in that moment.
fn on_sigterm() {
    let Some(member) = MEMBER.get() else { return };
    match member.watchdog.take() {
        Some(run) => member.end_run(&run, RankOutcome::Unresponsive),
        None => std::thread::sleep(SIGTERM_GRACE),
    }
}

/// Another thread is ending this process: this thread must not continue.
pub(crate) fn park_forever() -> ! {
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
