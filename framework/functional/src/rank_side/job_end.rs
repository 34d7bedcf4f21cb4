//! How a rank leaves a job that cannot continue: it reports where it is, and waits until it may leave.
//!
//! The watchdog, the coordinator, the exit hook, the signal handler and the allocator call this module. Only the one that takes the
//! [run](crate::rank_side::current_run) reports its end.
use std::{
    collections::BTreeSet,
    io,
    sync::{Arc, OnceLock},
    thread,
    time::Duration,
};

use wb_comm::ProcessRanks;
use wb_process::{
    children,
    out_of_memory::{self, OutOfMemory},
    stack::{Activity, ThreadActivity},
    thread_exit::{self, RunningThread},
};
use wb_runner::{RunnerLink, run_folder};

use crate::{
    coordinator::Instruction,
    evidence::{
        event::TestEvent,
        rank_report::{RankOutcome, RankReport},
    },
    judge::memory_failure,
    rank_side::{
        captured_output::CapturedOutput,
        coordinator_link::CoordinatorLink,
        current_run::{CurrentRun, WatchedRun},
    },
    test::test_case::RunId,
};

/// How long a rank that was asked to end may continue by itself.
const SIGTERM_GRACE: Duration = Duration::from_millis(500);

/// This process as a member of its job.
pub(crate) struct JobMember {
    pub(crate) rank: usize,
    pub(crate) size: usize,
    pub(crate) processes: &'static dyn ProcessRanks,
    pub(crate) link: CoordinatorLink,
    pub(crate) current_run: CurrentRun,
    pub(crate) captured_output: CapturedOutput,
    /// The processes below this one that the task has not started.
    children: BTreeSet<u32>,
}

/// The member that this process is, for the hooks.
static MEMBER: OnceLock<Arc<JobMember>> = OnceLock::new();

impl JobMember {
    /// Starts the watch over the runs of this process, and installs the hooks that end them.
    pub(crate) fn start(
        (rank, size): (usize, usize),
        processes: &'static dyn ProcessRanks,
        link: Arc<RunnerLink>,
        captured_output: CapturedOutput,
    ) -> io::Result<Arc<Self>> {
        children::become_subreaper()?;
        let children = children::current_children();
        let expired = || {
            with_run(CurrentRun::take, RankOutcome::Unresponsive);
        };
        let (link, current_run) = (CoordinatorLink::new(link), CurrentRun::new(expired)?);
        let member = Arc::new(Self { rank, size, processes, link, current_run, captured_output, children });
        if MEMBER.set(Arc::clone(&member)).is_err() {
            return Err(io::Error::other("this process is a member of a job already"));
        }
        thread_exit::register_exit_hook()?;
        wb_process::at_exit(on_exit);
        wb_process::on_sigterm(on_sigterm)?;
        out_of_memory::on_out_of_memory(report_out_of_memory)?;
        let own = Arc::clone(&member);
        member.link.listen(move |instruction| own.follow(instruction))?;
        Ok(member)
    }

    /// Ends the processes that the task has left, and returns their names.
    pub(crate) fn end_children(&self) -> Vec<String> {
        children::kill_others(&self.children).iter().map(ToString::to_string).collect()
    }

    /// Does what the coordinator wants besides the steps.
    fn follow(&self, instruction: &Instruction) {
        match instruction {
            Instruction::Interrupt => {
                with_run(CurrentRun::take_if_it_may_wait, RankOutcome::Unresponsive);
            }
            Instruction::Leave(code) => {
                // Remaining descendants hold the launcher's pipes open.
                self.end_children();
                run_folder::remove_all();
                wb_process::exit_now(*code)
            }
            Instruction::FindLeaks { .. } | Instruction::Continue { .. } => {}
        }
    }

    /// Reports how this rank's run ends. Called by who took the run from the rank.
    fn end_run(&self, run: &WatchedRun, outcome: RankOutcome) {
        let is_late = outcome == RankOutcome::Unresponsive;
        let (ongoing_calls, poll) = if is_late { run.observe_calls(self.rank) } else { (None, None) };
        let blocked_in = if is_late { self.processes.blocked_call().or(poll) } else { None };
        let (output_tail, trace) = (self.captured_output.tail(), run.trace.encode(true));
        let report = run.rank_report(self.rank, outcome);
        self.end_with_report(run, RankReport { blocked_in, ongoing_calls, output_tail, trace, ..report });
    }

    fn end_with_report(&self, run: &WatchedRun, report: RankReport) {
        let id = &run.test_case.id;
        let sample = if report.is_late_outside_calls() { Some(run.sample()) } else { None };
        self.link.report(&TestEvent::RanksEnded(id.clone(), vec![report]));
        // The others need the end immediately; finding the position of this rank takes a moment.
        if let Some(sample) = sample {
            let unknown = ThreadActivity { activity: Activity::Computing, line: None };
            let doing = sample.map_or(unknown, |sample| sample.activity());
            self.link.report(&TestEvent::Activity(id.clone(), self.rank, doing));
        }
    }
}

/// Takes the run of this process, if it has one, and reports how it ends; whether it had one.
fn with_run(take: impl FnOnce(&CurrentRun) -> Option<WatchedRun>, outcome: RankOutcome) -> bool {
    let run = MEMBER.get().and_then(|member| Some((member, take(&member.current_run)?)));
    run.iter().for_each(|(member, run)| member.end_run(run, outcome));
    run.is_some()
}

/// The exit hook: an orderly end, or `exit` in the middle of a run.
fn on_exit() {
    if with_run(CurrentRun::take, RankOutcome::Exited) {
        park_forever();
    }
    MEMBER.get().into_iter().for_each(|member| member.link.exit());
}

/// The rank has requested more memory than available: its process ends.
fn report_out_of_memory(exhausted: &OutOfMemory) {
    let Some(member) = MEMBER.get() else { return };
    if let Some(run) = member.current_run.take() {
        let stage = run.rank_report(member.rank, RankOutcome::OutOfMemory).stage;
        let id = &run.test_case.id;
        let report = memory_failure::rank_report(member.rank, stage, exhausted);
        member.link.report(&TestEvent::RanksEnded(id.clone(), vec![report]));
        let activity = memory_failure::activity(exhausted);
        member.link.report(&TestEvent::Activity(id.clone(), member.rank, activity));
        park_forever();
    }
}

/// This rank does not end after a test, whose verdict may have been reported already.
pub(crate) fn report_unterminated(id: RunId, found: RunningThread) {
    let Some(member) = MEMBER.get() else { return };
    let doing = found.sample.map(|sample| sample.activity());
    member.link.report(&TestEvent::Unterminated(id, vec![member.rank], doing));
}

/// The launcher asks this process to end, as it does when another rank is lost: it has a moment to report its position.
/// A rank that has already left its run, and waits for the lost one, has that moment, too.
fn on_sigterm() {
    if with_run(CurrentRun::take, RankOutcome::Unresponsive) {
        park_forever();
    }
    thread::sleep(SIGTERM_GRACE);
}

/// Another thread is ending this process: this thread must not continue.
pub(crate) fn park_forever() -> ! {
    loop {
        thread::park();
    }
}
