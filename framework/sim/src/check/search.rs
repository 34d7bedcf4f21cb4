//! One run after the other, depth first, until there are no more or the budget is spent.
use std::{
    sync::{Arc, Mutex, atomic::AtomicBool},
    time::Instant,
};

use wb_comm::{
    Error, Orders, Result, Schedule, ThreadsJob,
    diagnosis::of_buffers_only,
    job::Outcome,
    orders::{Budget, Buffering, Explored, Fault, Judge, Tried},
    text::order,
};

use super::{
    Reduction,
    chooser::{self, Chooser, Step, Verdict},
    ledger::{Apart, Ledger, Right},
    untimed::Untimed,
};
use crate::{
    hub::{self, Hub},
    job::Simulation,
};

/// All orders of a job on coroutines, as far as the budget goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhaustive {
    /// What is left out because it makes no difference.
    pub reduction: Reduction,
}

/// So often must a result come out again before it is believed that the order has made it.
const AGAIN: usize = 3;

/// A run.
struct Run {
    outcome: Outcome,
    steps: Vec<Step>,
    verdict: Verdict,
}

impl Exhaustive {
    /// Leaves out what makes no difference.
    pub const FULL: Self = Self { reduction: Reduction::Full };

    fn run(self, size: usize, schedule: Schedule, sleeps: bool, job: &ThreadsJob) -> Run {
        let chooser = Chooser::new(schedule.choices, sleeps);
        let pace = Untimed::new(size, schedule.buffering, self.reduction, chooser);
        let shared = hub::shared(pace, size);
        shared.lock().expect("nobody has it yet").watch_races();
        let ends = Arc::new(Mutex::new((0..size).map(|_| None).collect()));
        let mut simulation = Simulation::new(Hub::new(Arc::clone(&shared), size), size, ends, job);
        let outcome = simulation.run(&AtomicBool::new(false), None);
        let mut state = shared.lock().expect("no rank panics while it holds what all share");
        let done = std::mem::replace(&mut state.pace.chooser, Chooser::new(Vec::new(), false));
        let verdict = done.verdict();
        Run { outcome, steps: done.into_steps(), verdict }
    }

    fn search(
        self,
        size: usize,
        buffering: Buffering,
        (budget, start): (Budget, Instant),
        job: &ThreadsJob,
        judge: &mut Judge<'_>,
    ) -> Result<(Tried, Ledger)> {
        let (mut tried, mut ledger) = (Tried::default(), Ledger::default());
        let (mut choices, mut known): (Vec<usize>, Vec<Step>) = (Vec::new(), Vec::new());
        loop {
            let (sleeps, common) = (self.reduction == Reduction::Full, choices.len());
            let mut run = self.run(size, Schedule { buffering, choices }, sleeps, job);
            chooser::inherit(run.steps.get_mut(..common).unwrap_or_default(), &known);
            known.clone_from(&run.steps);
            let next = chooser::next(&run.steps);
            match run.verdict {
                Verdict::Counts => {
                    tried.schedules += 1;
                    ledger.note(run.steps, judge(run.outcome));
                }
                Verdict::Redundant => tried.redundant += 1,
                Verdict::Impossible => return Err(changes()),
            }
            let Some(next) = next else {
                tried.exhausted = true;
                return Ok((tried, ledger));
            };
            if tried.schedules + tried.redundant >= budget.schedules || start.elapsed() >= budget.time {
                return Ok((tried, ledger));
            }
            choices = next;
        }
    }
}

impl Exhaustive {
    /// Two results that differ, if each comes out again when its run is run again: what is written in no fixed order (as a
    /// `HashMap`) differs by itself.
    fn told(
        self,
        (size, buffering): (usize, Buffering),
        apart: Option<Apart>,
        job: &ThreadsJob,
        judge: &mut Judge<'_>,
    ) -> Result<Option<Fault>> {
        let Some(apart) = apart else { return Ok(None) };
        for _ in 0..AGAIN {
            for Right { taken, result } in &apart.runs {
                let schedule = Schedule { buffering, choices: taken.clone() };
                let again = judge(self.replay(size, &schedule, job)?);
                if again.result.as_ref() != Some(result) {
                    return Ok(None);
                }
            }
        }
        Ok(Some(apart.into_fault(buffering)))
    }
}

fn changes() -> Error {
    Error::Setup(order::choices_change())
}

impl Orders for Exhaustive {
    fn explore(
        &self,
        size: usize,
        budget: Budget,
        job: &ThreadsJob,
        judge: &mut Judge<'_>,
    ) -> Result<Explored> {
        let start = Instant::now();
        let mut explored = Explored::default();
        let mut has_wildcards = true;
        let half = budget.schedules.div_ceil(2);
        let parts =
            [(half, budget.time / 2), (half.div_ceil(2), budget.time * 3 / 4), (half / 2, budget.time)];
        for (buffering, (schedules, time)) in Buffering::ALL.into_iter().zip(parts) {
            if buffering == Buffering::Few && !has_wildcards {
                explored.tried[buffering as usize].exhausted = true;
                break;
            }
            let limit = (Budget { schedules: schedules.max(1), time }, start);
            let (tried, mut ledger) = self.search(size, buffering, limit, job, judge)?;
            explored.tried[buffering as usize] = tried;
            if buffering == Buffering::Unlimited {
                has_wildcards = ledger.has_wildcards();
            }
            let [apart, rounded] = ledger.take_apart();
            explored.faults = ledger.into_faults(buffering);
            if buffering != Buffering::Unlimited {
                // With buffers all is well.
                for fault in &mut explored.faults {
                    let found = std::mem::take(&mut fault.judgement.findings);
                    fault.judgement.findings = of_buffers_only(found);
                }
            }
            explored.faults.extend(self.told((size, buffering), apart, job, judge)?);
            if explored.remarks.is_empty() {
                explored.remarks.extend(self.told((size, buffering), rounded, job, judge)?);
            }
            if !explored.faults.is_empty() {
                break;
            }
        }
        Ok(explored)
    }

    fn replay(&self, size: usize, schedule: &Schedule, job: &ThreadsJob) -> Result<Outcome> {
        let run = self.run(size, schedule.clone(), false, job);
        match run.verdict {
            Verdict::Impossible => Err(Error::Setup(order::no_schedule(schedule.to_string()))),
            Verdict::Counts | Verdict::Redundant => Ok(run.outcome),
        }
    }
}
