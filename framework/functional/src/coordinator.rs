//! Coordinates the processes of a job: they report what their ranks do, and get instructions to continue or to leave.
//!
//! It is in the process that started the job, or in rank 0's process of the user's own job. All evidence is here. One run has two steps to
//! which every process comes: the end of its ranks, and the search for leaks. A process that does not come, because its rank hangs, has
//! called `exit` or is lost, ends the job: the others say where their ranks are, the run is diagnosed, and all leave.
//!
//! The invariant: *no process waits for ever.* Every wait here has a limit, except where the user has lifted the limit of runs. Nothing
//! here starts a process or reads a clock: a driver passes events and the time in, and instructions out.
use std::time::{Duration, Instant};

use wb_comm::panic_place::RankStop;
use wb_messages::{Lang, functional as text};

use crate::{
    evaluation::run_verdict::judge,
    evidence::{Evidence, RankReport, RunEvidence, TestEvidence},
    job_protocol::{
        CHECKING_TIMEOUT, EXIT_FAILED, Instruction, LOCATE_TIMEOUT, STEP_TIMEOUT, Step, StepKind, TestEvent,
    },
    replay::replay_input::{self, ReplayThreads},
    test::{RunId, TestCase},
};

/// How long a rank may continue after another rank has failed: it may be about to end.
const GRACE: Duration = Duration::from_millis(500);

/// How long after the first rank that cannot continue the others are waited for.
const FINAL_REPORT_TIMEOUT: Duration = Duration::from_secs(2);

/// The reason why a job has ended early.
#[derive(Clone, Debug)]
pub(crate) enum EarlyEnd {
    /// A run ended it.
    Run(Box<TestCase>),
    /// A rank does not end after a test.
    Unterminated(RunId, Vec<RankReport>),
    /// The processes did not come to a step of a test, for this reason.
    OutOfStep(RunId, String),
}

/// The state of a process.
#[derive(Clone, Debug, Default)]
struct ProcessState {
    /// The step at which it waits.
    at: Option<Step>,
    /// Whether it has exited in an orderly way, or must leave.
    may_end: bool,
    is_closed: bool,
}

/// The run that the ranks execute.
#[derive(Clone, Debug)]
struct RunState {
    id: RunId,
    began: Instant,
    /// The time at which a rank was first seen to have failed, or to be lost: its partners may wait for it without success.
    failed: Option<Instant>,
    is_interrupted: bool,
    /// The time at which a rank was first seen that cannot continue.
    fatal: Option<Instant>,
}

impl RunState {
    fn new(id: &RunId, now: Instant) -> Self {
        Self { id: id.clone(), began: now, failed: None, is_interrupted: false, fatal: None }
    }
}

pub(crate) struct Coordinator {
    processes: Vec<ProcessState>,
    /// Whether each process is a rank; otherwise one process has all ranks and ends its runs itself.
    are_ranks: bool,
    replay: ReplayThreads,
    /// Whether ranks may be stopped in a debugger.
    is_unlimited: bool,
    /// The evidence so far.
    pub(crate) evidence: Evidence,
    run: Option<RunState>,
    /// The time at which the first process reached the present step.
    step_since: Option<Instant>,
    has_ended: bool,
    instructions: Vec<(usize, Instruction)>,
    early_end: Option<EarlyEnd>,
}

impl Coordinator {
    /// The coordinator of a job of `processes` processes.
    pub(crate) fn new(processes: usize, are_ranks: bool, replay: ReplayThreads, is_unlimited: bool) -> Self {
        Self {
            processes: vec![ProcessState::default(); processes],
            are_ranks,
            replay,
            is_unlimited,
            evidence: Evidence::default(),
            run: None,
            step_since: None,
            has_ended: false,
            instructions: vec![],
            early_end: None,
        }
    }

    /// The instructions to be sent, each to its process.
    pub(crate) fn take_instructions(&mut self) -> Vec<(usize, Instruction)> {
        std::mem::take(&mut self.instructions)
    }

    /// The reason why the job has ended early; returned once.
    pub(crate) fn take_early_end(&mut self) -> Option<EarlyEnd> {
        self.early_end.take()
    }

    /// Whether the processes must leave, or rank 0 exits: the job ends now.
    pub(crate) fn is_ending(&self) -> bool {
        self.processes[0].may_end
    }

    /// A process reports an event.
    pub(crate) fn handle(&mut self, process: usize, event: TestEvent, now: Instant) {
        match &event {
            TestEvent::Ready(id) if self.run.as_ref().is_none_or(|run| run.id != *id) => {
                self.run = Some(RunState::new(id, now));
            }
            TestEvent::RanksEnded(id, reports) if self.are_ranks => {
                // A rank that hangs before or after its stages ends a run that has not begun, or is over.
                self.run.get_or_insert_with(|| RunState::new(id, now));
                let is_failure = reports.iter().any(RankReport::is_failure);
                self.note_failure(is_failure, reports.iter().any(RankReport::is_fatal), now);
            }
            TestEvent::Exiting => self.processes[process].may_end = true,
            _ => {}
        }
        if let Some(step) = event.step() {
            self.step_since = self.step_since.or(Some(now));
            self.processes[process].at = Some(step);
        }
        let unterminated = match &event {
            TestEvent::Unterminated(id, ranks, _) => Some((id.clone(), ranks.clone())),
            _ => None,
        };
        self.evidence.add(process, event);
        if let Some((id, ranks)) = unterminated {
            let run = self.run_evidence(&id);
            let reports = ranks.iter().filter_map(|rank| run?.reports.get(rank).cloned()).collect();
            self.end_job(Some(EarlyEnd::Unterminated(id, reports)), EXIT_FAILED);
        }
        self.check(now);
    }

    /// A process has closed its connection: it has ended.
    pub(crate) fn close(&mut self, process: usize, now: Instant) {
        let state = &mut self.processes[process];
        state.is_closed = true;
        if self.are_ranks && !state.may_end && state.at.is_none() {
            self.note_failure(true, true, now);
        }
        self.check(now);
    }

    fn note_failure(&mut self, is_failure: bool, is_fatal: bool, now: Instant) {
        if let Some(run) = &mut self.run {
            run.failed = run.failed.or(is_failure.then_some(now));
            run.fatal = run.fatal.or(is_fatal.then_some(now));
        }
    }

    /// Executes what is due at this time.
    pub(crate) fn check(&mut self, now: Instant) {
        if self.has_ended {
            return;
        }
        self.interrupt_if_due(now);
        let have_all_come = self.processes.iter().all(|process| process.at.is_some() || process.is_closed);
        let fatal = self.run.as_ref().and_then(|run| run.fatal);
        if fatal.is_some_and(|fatal| have_all_come || now - fatal >= FINAL_REPORT_TIMEOUT) {
            self.abort(now);
        } else if have_all_come {
            self.complete_step(now);
        } else if !self.is_unlimited && self.step_since.is_some_and(|since| now - since > self.step_timeout())
        {
            self.give_up(now);
        }
    }

    /// How long the others are waited for when one process has come to the present step.
    fn step_timeout(&self) -> Duration {
        match self.step() {
            Some(Step { kind: StepKind::Run, .. }) => CHECKING_TIMEOUT + STEP_TIMEOUT,
            _ => STEP_TIMEOUT,
        }
    }

    /// The step at which a process waits.
    fn step(&self) -> Option<&Step> {
        self.processes.iter().find_map(|process| process.at.as_ref())
    }

    /// Interrupts the ranks that have not ended the run some time after another one has failed.
    fn interrupt_if_due(&mut self, now: Instant) {
        let Some(run) = &mut self.run else { return };
        if run.is_interrupted || run.failed.is_none_or(|failed| now - failed < GRACE) {
            return;
        }
        run.is_interrupted = true;
        let is_late = |state: &ProcessState| state.at.is_none() && !state.is_closed;
        let late = self.processes.iter().enumerate().filter(|(_, process)| is_late(process));
        self.instructions.extend(late.map(|(process, _)| (process, Instruction::Interrupt)));
    }

    /// Every process has come to a step, or has ended.
    fn complete_step(&mut self, now: Instant) {
        let Some(step) = self.step().cloned() else { return };
        let is_other = |process: &ProcessState| process.at.as_ref().is_some_and(|at| *at != step);
        if let Some(other) = self.processes.iter().position(is_other) {
            let theirs = self.processes[other].at.as_ref().map(ToString::to_string).unwrap_or_default();
            let reason = text::out_of_step(Lang::from_environment(), other, &theirs, step.to_string());
            return self.end_job(Some(EarlyEnd::OutOfStep(step.id, reason)), EXIT_FAILED);
        }
        let missing = || self.processes.iter().any(|process| process.at.is_none());
        let instruction = match step.kind {
            _ if missing() => return self.give_up(now),
            StepKind::Run => Instruction::FindLeaks { is_patient: self.may_have_leaks(&step.id) },
            StepKind::Leaks => {
                self.add_replayed(&step.id);
                Instruction::Continue { is_right: self.is_right(&step.id) }
            }
            StepKind::Test => Instruction::Continue { is_right: true },
            StepKind::Done => {
                let runs = self.test(&step.id).map_or(0, |test| test.cases.len());
                let mut ids = (0..runs).map(|input| RunId { input, ..step.id.clone() });
                Instruction::Continue { is_right: ids.all(|id| self.is_right(&id)) }
            }
        };
        self.step_since = None;
        self.run = None;
        for (process, state) in self.processes.iter_mut().enumerate() {
            state.at = None;
            self.instructions.push((process, instruction.clone()));
        }
    }

    /// The evidence of a test.
    pub(crate) fn test(&self, id: &RunId) -> Option<&TestEvidence> {
        self.evidence.tests.get(&(id.test.clone(), id.ranks))
    }

    /// The evidence of a run.
    pub(crate) fn run_evidence(&self, id: &RunId) -> Option<&RunEvidence> {
        self.test(id)?.runs.get(&id.input)
    }

    fn test_case(&self, id: &RunId) -> Option<&TestCase> {
        self.test(id)?.cases.get(id.input)
    }

    fn may_have_leaks(&self, id: &RunId) -> bool {
        let reports = self.run_evidence(id).into_iter().flat_map(|run| run.reports.values());
        let (sends, receives) = reports
            .fold((0, 0), |(sends, receives), e| (sends + e.counts.sends, receives + e.counts.receives));
        sends != receives
    }

    fn is_right(&self, id: &RunId) -> bool {
        let case = self.test_case(id).zip(self.run_evidence(id));
        case.is_some_and(|(case, run)| judge(case, run).is_none())
    }

    /// Adds the findings of the replay of all transcripts, unless calls still completed.
    fn add_replayed(&mut self, id: &RunId) {
        if self.are_ranks {
            let run = self.evidence.run(id);
            if run.ongoing_calls().is_none() {
                let replayed = replay_input::findings(id.ranks, &run.reports, self.replay);
                run.leaks.replayed.extend(replayed);
            }
        }
    }

    /// A run ends the job: once the ranks that were in no call have said where they are, it is diagnosed, and all leave.
    fn abort(&mut self, now: Instant) {
        let Some(run) = self.run.clone() else { return self.give_up(now) };
        let fatal = run.fatal.unwrap_or(now);
        if now - fatal < LOCATE_TIMEOUT && self.is_being_located(&run.id) {
            return;
        }
        self.add_replayed(&run.id);
        self.evidence.run(&run.id).diagnosed_after = Some(now - run.began);
        let reports = self.run_evidence(&run.id).into_iter().flat_map(|run| run.reports.values());
        let code = reports.filter_map(|report| report.stop).find_map(|stop| match stop {
            // None that would mean success.
            RankStop::Abort { code, .. } => Some(code).filter(|code| code & 0xff != 0),
            RankStop::EndlessClockWait => None,
        });
        let end = self.test_case(&run.id).map(|case| EarlyEnd::Run(Box::new(case.clone())));
        self.end_job(end, code.unwrap_or(EXIT_FAILED));
    }

    /// Whether a rank has reported its end, and its position will follow.
    fn is_being_located(&self, id: &RunId) -> bool {
        let reports = self.run_evidence(id).into_iter().flat_map(|run| run.reports.values());
        let mut unlocated = reports.filter(|report| report.is_located_later() && report.activity.is_none());
        unlocated.any(|report| !self.processes[report.rank].is_closed)
    }

    /// Processes have not come to a step, and no run can be diagnosed.
    fn give_up(&mut self, now: Instant) {
        if matches!(self.step(), Some(Step { kind: StepKind::Run, .. })) && self.run.is_some() {
            self.note_failure(true, true, now);
            return self.abort(now);
        }
        let missing = |wanted: bool| -> Vec<usize> {
            let states = self.processes.iter().enumerate();
            let is_it = |state: &ProcessState| state.at.is_none() && state.is_closed == wanted;
            states.filter(|(_, state)| is_it(state)).map(|(process, _)| process).collect()
        };
        let (gone, late) = (missing(true), missing(false));
        let reason = match gone.is_empty() {
            false => format!("rank {gone:?} is gone"),
            true => format!("rank {late:?} did not come within {:?}", self.step_timeout()),
        };
        let reason = text::cannot_join(Lang::from_environment(), reason);
        let end = self.step().map(|step| EarlyEnd::OutOfStep(step.id.clone(), reason));
        self.end_job(end, EXIT_FAILED);
    }

    fn end_job(&mut self, end: Option<EarlyEnd>, code: i32) {
        self.has_ended = true;
        self.early_end = end;
        for (process, state) in self.processes.iter_mut().enumerate().filter(|(_, state)| !state.is_closed) {
            state.may_end = true;
            self.evidence.reported.insert(process);
            self.instructions.push((process, Instruction::Leave(code)));
        }
    }

    /// How long after its last call [`check`](Self::check) is to be called again, if nothing happens before.
    pub(crate) fn check_interval(&self) -> Duration {
        let is_urgent = self.run.as_ref().is_some_and(|run| run.failed.is_some()) && !self.has_ended;
        if is_urgent { Duration::from_millis(20) } else { Duration::from_secs(1) }
    }
}

#[cfg(test)]
mod tests;
