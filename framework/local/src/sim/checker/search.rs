//! The depth-first search: one run after the other until all are explored or the budget is spent.
use std::{
    sync::{Arc, Mutex, atomic::AtomicBool},
    time::Instant,
};

use wb_comm::{
    Error, ModelChecker, RankFunction, Result, Schedule,
    diagnosis::drop_near_misses_if_buffering,
    exploration::{
        Buffering, ExplorationBudget, ExplorationCount, ExplorationReport, RunJudge, ScheduleFinding,
    },
    job::JobOutcome,
    text::exploration,
};

use super::{
    Reduction,
    exploration_scheduler::ExplorationScheduler,
    outcome_log::{DivergentRuns, OutcomeLog, PassingRun},
    sleep_sets::{self, ChoicePoint, RunValidity, SleepSetScheduler},
};
use crate::sim::{
    job::Simulation,
    runtime::{self, SimRuntime},
};

/// A model checker that explores all schedules of a job on coroutines, within the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExhaustiveChecker {
    /// The schedules that are left out as redundant.
    pub reduction: Reduction,
}

/// How often a result must be reproduced before the difference counts as an effect of the schedule.
const CONFIRMATIONS: usize = 3;

/// The part of the time in which a search continues after its first failure: other failures are looked for, and not every way to
/// the same one.
const TIME_AFTER_FAILURE: u32 = 10;

/// A run of the search.
struct CheckedRun {
    outcome: JobOutcome,
    choices: Vec<ChoicePoint>,
    validity: RunValidity,
}

impl ExhaustiveChecker {
    /// The checker with full reduction.
    pub const FULL: Self = Self { reduction: Reduction::Full };

    fn run(self, size: usize, schedule: Schedule, sleeps: bool, job: &RankFunction) -> CheckedRun {
        let chooser = SleepSetScheduler::new(schedule.choices, sleeps);
        let scheduler = ExplorationScheduler::new(size, schedule.buffering, self.reduction, chooser);
        let shared = runtime::new_shared_state(scheduler, size);
        let mut state = shared.lock().expect("nobody has it yet");
        state.enable_race_detection();
        // Every run begins with the same files.
        state.keep_files_in_memory();
        drop(state);
        let ends = Arc::new(Mutex::new((0..size).map(|_| None).collect()));
        let mut simulation = Simulation::new(SimRuntime::new(Arc::clone(&shared), size), size, ends, job);
        let outcome = simulation.run(&AtomicBool::new(false), None);
        let mut state = shared.lock().expect("no rank panics while it holds what all share");
        let done = std::mem::replace(&mut state.delivery.choices, SleepSetScheduler::new(Vec::new(), false));
        let verdict = done.validity();
        CheckedRun { outcome, choices: done.into_choices(), validity: verdict }
    }

    fn search(
        self,
        size: usize,
        buffering: Buffering,
        (budget, start): (ExplorationBudget, Instant),
        job: &RankFunction,
        judge: &mut RunJudge<'_>,
    ) -> Result<(ExplorationCount, OutcomeLog)> {
        let (mut tried, mut log) = (ExplorationCount::default(), OutcomeLog::default());
        let (mut choices, mut known): (Vec<usize>, Vec<ChoicePoint>) = (Vec::new(), Vec::new());
        let mut end = start + budget.time;
        loop {
            let (sleeps, common) = (self.reduction == Reduction::Full, choices.len());
            let mut run = self.run(size, Schedule { buffering, choices }, sleeps, job);
            sleep_sets::inherit_awake(run.choices.get_mut(..common).unwrap_or_default(), &known);
            known.clone_from(&run.choices);
            let next = sleep_sets::next_prefix(&run.choices);
            match run.validity {
                RunValidity::Valid => {
                    tried.schedules += 1;
                    if log.record(run.choices, judge(run.outcome)) {
                        end = end.min(Instant::now() + budget.time / TIME_AFTER_FAILURE);
                    }
                }
                RunValidity::Redundant => tried.redundant += 1,
                RunValidity::InvalidPrefix => return Err(nondeterminism_error()),
            }
            let Some(next) = next else {
                tried.is_exhaustive = true;
                return Ok((tried, log));
            };
            if tried.schedules + tried.redundant >= budget.schedules || Instant::now() >= end {
                return Ok((tried, log));
            }
            choices = next;
        }
    }
}

impl ExhaustiveChecker {
    /// Two different results, if each is reproduced when its run is repeated: a text without a fixed order (as of a
    /// `HashMap`) differs without an effect of the schedule.
    fn confirm_divergence(
        self,
        (size, buffering): (usize, Buffering),
        apart: Option<DivergentRuns>,
        job: &RankFunction,
        judge: &mut RunJudge<'_>,
    ) -> Result<Option<ScheduleFinding>> {
        let Some(apart) = apart else { return Ok(None) };
        for _ in 0..CONFIRMATIONS {
            for PassingRun { choices: taken, result } in &apart.runs {
                let schedule = Schedule { buffering, choices: taken.clone() };
                let again = judge(self.replay(size, &schedule, job)?);
                if again.result.as_ref() != Some(result) {
                    return Ok(None);
                }
            }
        }
        Ok(Some(apart.into_finding(buffering)))
    }
}

fn nondeterminism_error() -> Error {
    Error::Setup(exploration::choices_change())
}

impl ModelChecker for ExhaustiveChecker {
    fn explore(
        &self,
        size: usize,
        budget: ExplorationBudget,
        job: &RankFunction,
        judge: &mut RunJudge<'_>,
    ) -> Result<ExplorationReport> {
        let start = Instant::now();
        let mut explored = ExplorationReport::default();
        let mut has_wildcards = true;
        let half = budget.schedules.div_ceil(2);
        let parts =
            [(half, budget.time / 2), (half.div_ceil(2), budget.time * 3 / 4), (half / 2, budget.time)];
        for (buffering, (schedules, time)) in Buffering::ALL.into_iter().zip(parts) {
            if buffering == Buffering::Limited && !has_wildcards {
                explored.counts[buffering as usize].is_exhaustive = true;
                break;
            }
            let limit = (ExplorationBudget { schedules: schedules.max(1), time }, start);
            let (tried, mut log) = self.search(size, buffering, limit, job, judge)?;
            explored.counts[buffering as usize] = tried;
            if buffering == Buffering::Unlimited {
                has_wildcards = log.has_wildcards();
            }
            let [apart, rounded] = log.take_divergent();
            explored.failures = log.into_findings(buffering);
            if buffering != Buffering::Unlimited {
                // With unlimited buffering no run fails.
                for fault in &mut explored.failures {
                    let found = std::mem::take(&mut fault.verdict.findings);
                    fault.verdict.findings = drop_near_misses_if_buffering(found);
                }
            }
            explored.failures.extend(self.confirm_divergence((size, buffering), apart, job, judge)?);
            if explored.remarks.is_empty() {
                explored.remarks.extend(self.confirm_divergence((size, buffering), rounded, job, judge)?);
            }
            if !explored.failures.is_empty() {
                break;
            }
        }
        Ok(explored)
    }

    fn replay(&self, size: usize, schedule: &Schedule, job: &RankFunction) -> Result<JobOutcome> {
        let run = self.run(size, schedule.clone(), false, job);
        match run.validity {
            RunValidity::InvalidPrefix => Err(Error::Setup(exploration::no_schedule(schedule.to_string()))),
            RunValidity::Valid | RunValidity::Redundant => Ok(run.outcome),
        }
    }
}
