//! The worker of a check: tries one case in every order, or replays one of its runs.
use std::{io, rc::Rc, sync::Arc};

use wb_comm::{
    ModelChecker, RankFunction, Schedule, Transport,
    exploration::{self, RunVerdict},
};
use wb_runner::{Backends, job::Answers, output_tail};

use crate::{
    all_ranks::{self, BlameAnswer, RunWatch},
    checked::{
        case::{CheckFault, CheckResult, CheckSpec, CheckedCase},
        run_verdict::{RankVerdict, run_verdict},
    },
    job_spec::WorkloadRequest,
    program::BenchmarkProgram,
    simulated::pass::PassMode,
};

/// The seed of the inputs, which is constant so that a schedule has the same meaning on every computer and day.
const SEED: u64 = 1;

/// The worker: executes the order and sends its answer.
pub(crate) fn run(
    order: &CheckSpec,
    answers: Answers<CheckResult>,
    backends: Backends,
    program: &BenchmarkProgram,
) -> io::Result<bool> {
    let blamed = order.clone();
    let blame: BlameAnswer<CheckedCase> = Arc::new(move |why| Ok(blamed.unfinished_case(why.to_owned())));
    all_ranks::run(answers, blame, order.limit, |watch| explore(order, watch, backends.orders, program))
}

fn explore(
    order: &CheckSpec,
    watch: &RunWatch,
    backend: &dyn ModelChecker,
    program: &BenchmarkProgram,
) -> CheckResult {
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
    let told = |error: wb_comm::Error| output_tail::text(&error.text());
    let case = match &order.schedule {
        None => {
            let budget = exploration::ExplorationBudget { schedules: order.schedules, time: order.time };
            let compared = program.mpi.has_unique_answer();
            let mut judge = |outcome| {
                let judgement = judge(outcome);
                RunVerdict { result: judgement.result.filter(|_| compared), ..judgement }
            };
            let explored = backend.explore(order.ranks, budget, &job, &mut judge).map_err(told)?;
            case.with_counts(&explored)
        }
        Some(line) => {
            let schedule: Schedule = line.parse().map_err(told)?;
            let judgement = judge(backend.replay(order.ranks, &schedule, &job).map_err(told)?);
            let output = judgement.result.clone();
            let fault = exploration::ScheduleFinding { verdict: judgement, schedule, other_schedule: None };
            let faults = if fault.verdict.is_correct() { vec![] } else { vec![CheckFault::from_run(&fault)] };
            CheckedCase { schedules: [1, 0, 0], faults, output, ..case }
        }
    };
    Ok(CheckedCase { is_rejected: refused, ..case })
}
