//! The worker of a check: tries one case in every order, or replays one of its runs, and judges each run by what its ranks return.
use std::{io, rc::Rc, sync::Arc};

use wb_comm::{
    Finding, ModelChecker, Rank, RankFunction, Schedule, Transport,
    exploration::{ExplorationBudget, RunVerdict, ScheduleFinding},
    job::{JobOutcome, RankTermination},
    text::error,
};
use wb_messages::Lang;
use wb_runner::{Backends, diff_report, output_tail};
use wb_task::{Failure, Verdict};

use crate::{
    all_ranks::{self, RunWatch, WorkerAnswers},
    checked::{CheckFault, CheckSpec, CheckedCase},
    job::WorkloadRequest,
    pass_data::MeasureError,
    program::BenchmarkProgram,
    simulated::pass::PassMode,
};

/// The seed of the inputs, which is constant so that a schedule has the same meaning on every computer and day.
const SEED: u64 = 1;

/// The worker: executes the order and leaves its answer.
pub(crate) fn run(
    order: &CheckSpec,
    answers: WorkerAnswers<CheckedCase>,
    backends: Backends,
    program: &BenchmarkProgram,
) -> io::Result<bool> {
    all_ranks::run(answers, order.limit, |watch| explore(order, watch, backends.orders, program))
}

fn explore(
    order: &CheckSpec,
    watch: &RunWatch,
    backend: &dyn ModelChecker,
    program: &BenchmarkProgram,
) -> Result<CheckedCase, String> {
    watch.register_thread(0);
    watch.arm(0);
    let (solution, request) = (Arc::clone(&program.mpi), order.request.clone());
    let job: RankFunction = Arc::new(move |transport: Rc<dyn Transport>| {
        let rank = transport.rank();
        let pass = solution.simulate(transport, &request, SEED, (PassMode::WithOutput, &Default::default()));
        Box::new(RankVerdict::from_result(rank, pass.map(|pass| (pass.verdict, pass.output))))
    });
    let WorkloadRequest { name: workload, size } = order.request.clone();
    let case = CheckedCase { workload, size, ranks: order.ranks, exhaustive: true, ..CheckedCase::default() };
    let mut refused = false;
    let mut judge = |outcome| {
        watch.arm(0);
        run_verdict(outcome, &mut refused)
    };
    let to_text = |error: wb_comm::Error| output_tail::text(&error.text());
    let case = match &order.schedule {
        None => {
            let budget = ExplorationBudget { schedules: order.schedules, time: order.time };
            let compared = program.mpi.has_unique_answer();
            let mut judge = |outcome| {
                let judgement = judge(outcome);
                RunVerdict { result: judgement.result.filter(|_| compared), ..judgement }
            };
            let explored = backend.explore(order.ranks, budget, &job, &mut judge).map_err(to_text)?;
            case.with_counts(&explored)
        }
        Some(line) => {
            let schedule: Schedule = line.parse().map_err(to_text)?;
            let judgement = judge(backend.replay(order.ranks, &schedule, &job).map_err(to_text)?);
            let output = judgement.result.clone();
            let fault = ScheduleFinding { verdict: judgement, schedule, other_schedule: None };
            let faults = if fault.verdict.is_correct() { vec![] } else { vec![CheckFault::from_run(&fault)] };
            CheckedCase { schedules: [1, 0, 0], faults, output, ..case }
        }
    };
    Ok(CheckedCase { is_rejected: refused, ..case })
}

/// The result of a run on one rank.
enum RankVerdict {
    /// The output is right here, with this text.
    Right(Option<String>),
    /// Validation refused the input, or this size has no input.
    Rejected,
    /// The oracle rejects the output.
    Wrong(String),
    /// An error that is a fault of the task.
    Found(Finding),
    /// An error that is usually a consequence of another rank's.
    Failed(String),
}

impl RankVerdict {
    fn from_result(rank: Rank, verdict: Result<(Option<Verdict>, Option<String>), MeasureError>) -> Self {
        match verdict {
            Ok((None | Some(Verdict::Right), output)) => Self::Right(output),
            Ok((Some(wrong), _)) => {
                Self::Wrong(diff_report::render_line(&wrong, Lang::from_environment()).unwrap_or_default())
            }
            Err(MeasureError::Task(Failure::Invalid { .. }) | MeasureError::NoWorkload(_)) => Self::Rejected,
            Err(MeasureError::Task(Failure::Stage { site: at, ref source, .. })) => {
                Finding::from_error(rank, at, source)
                    .map_or_else(|| Self::Failed(output_tail::text(&source.text())), Self::Found)
            }
            Err(other) => Self::Failed(output_tail::text(&other.text())),
        }
    }
}

/// The verdict on a run: faults that ranks found have precedence over their consequences.
fn run_verdict(outcome: JobOutcome, refused: &mut bool) -> RunVerdict {
    let (mut found, mut wrong, mut failed) = (vec![], None, None);
    let mut result = String::new();
    for (rank, ended) in outcome.ranks.into_iter().enumerate() {
        let verdict = match ended {
            RankTermination::Returned(verdict) => {
                *verdict.downcast::<RankVerdict>().expect("what the job returns")
            }
            RankTermination::Panicked(panic) => RankVerdict::Wrong(output_tail::text(&panic.of_peer())),
            RankTermination::Unfinished | RankTermination::Starved(_) => {
                RankVerdict::Failed(output_tail::text(&error::late()))
            }
        };
        match verdict {
            RankVerdict::Right(output) => {
                result.extend(output.map(|output| format!("rank {rank}: {output}\n")));
            }
            RankVerdict::Rejected => *refused = true,
            RankVerdict::Wrong(why) => wrong = wrong.or(Some(output_tail::text(&error::of_rank(rank, why)))),
            RankVerdict::Found(finding) => found.push(finding),
            RankVerdict::Failed(why) => {
                failed = failed.or(Some(output_tail::text(&error::of_rank(rank, why))));
            }
        }
    }
    if found.is_empty() {
        found = outcome.findings;
    }
    found.dedup();
    let wrong = if found.is_empty() { wrong.or(failed) } else { wrong };
    RunVerdict { findings: found, failure: wrong, result: Some(result) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(ranks: Vec<RankVerdict>, findings: Vec<Finding>) -> JobOutcome {
        let ranks = ranks.into_iter().map(|verdict| RankTermination::Returned(Box::new(verdict))).collect();
        JobOutcome { ranks, blocked: vec![], calls: vec![], timed_out: false, findings }
    }

    #[test]
    fn a_run_is_worth_what_its_ranks_say_and_errors_of_others_are_no_news() {
        let finding = |code| Finding { code, rank: 0, locations: vec![], details: vec![] };
        let mut refused = false;
        let mut judge = |ranks, findings| run_verdict(outcome(ranks, findings), &mut refused);
        let right = judge(vec![RankVerdict::Right(None), RankVerdict::Right(Some("[2]".into()))], vec![]);
        assert!(right.is_correct() && right.result.as_deref() == Some("rank 1: [2]\n"));
        let same = |one: RunVerdict, findings: Vec<Finding>| {
            assert_eq!((one.findings, one.failure), (findings, None));
        };
        let (tag, deadlock) = (wb_comm::Code::Tag, wb_comm::Code::Deadlock);
        let of_rank = judge(
            vec![RankVerdict::Found(finding(tag)), RankVerdict::Failed("of 0".into())],
            vec![finding(deadlock)],
        );
        same(of_rank, vec![finding(tag)]);
        let of_job = judge(vec![RankVerdict::Failed("waits".into())], vec![finding(deadlock)]);
        same(of_job, vec![finding(deadlock)]);
        let of_nobody = judge(vec![RankVerdict::Right(None), RankVerdict::Failed("waits".into())], vec![]);
        assert_eq!(of_nobody.failure.as_deref(), Some("rank 1: waits"));
        let of_oracle = judge(vec![RankVerdict::Wrong("3, not 4".into())], vec![]);
        assert_eq!(of_oracle.failure.as_deref(), Some("rank 0: 3, not 4"));
        assert!(judge(vec![RankVerdict::Rejected], vec![]).is_correct());
        assert!(refused);
    }
}
