//! A task in every order that MPI allows, on the smallest inputs, as `cargo wb check` asks for it.
//!
//! A case is a workload at a size on a number of ranks. Each runs in a process of its own, which is ended when it computes
//! for ever; the smallest wrong case of a workload ends it, since the larger ones would say the same at greater length.
use std::{
    path::Path,
    process::ExitCode,
    rc::Rc,
    sync::Arc,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wb_comm::{
    Finding, ModelChecker, Rank, RankFunction, Schedule, Transport,
    exploration::{self, Buffering, ExplorationReport, RunVerdict},
    job::{JobOutcome, RankTermination},
    text::error,
};
use wb_messages::Lang;
use wb_process::output::print;
use wb_task::{Failure, Verdict};
use wb_worker::{
    Backends, diff_report, output_tail,
    protocol::{self, WorkerError},
    run_folder,
};

use super::{
    BenchmarkProgram, Package,
    all_ranks::{self, AnswerWriter, BlameAnswer, RunGuard},
    arguments::BenchmarkArguments,
    job_spec::WorkloadRequest,
    measure::MeasureError,
    settings::CampaignSettings,
    simulated::PassMode,
};

mod budget;
mod page;
mod replay_id;

pub(crate) use budget::Budget;
pub(crate) use replay_id::{MAX_RANKS, MAX_SIZE, ReplayId};

/// The environment variable that makes this program a worker of a check: the path of its order.
pub(crate) const VARIABLE: &str = "WB_CHECK_ORDER";

/// The sizes that are tried: one element, and numbers that no number of ranks divides.
const SIZES: [usize; 4] = [1, 2, 3, 7];

/// The seed of the inputs: a schedule means the same on every computer and on every day.
const SEED: u64 = 1;

/// How long a worker may take beyond its budget: to start, and to end the run that it is in.
const WORKER_GRACE: Duration = Duration::from_secs(30);

/// How long a worker may take whose runs have no limit.
const UNLIMITED: Duration = Duration::from_secs(24 * 3600);

/// What a worker is to try.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct CheckSpec {
    ranks: usize,
    request: WorkloadRequest,
    schedules: u64,
    time: Duration,
    /// How long one run may take.
    limit: Option<Duration>,
    /// One run only: this one.
    schedule: Option<String>,
}

/// What came of a case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct CheckedCase {
    workload: String,
    size: usize,
    ranks: usize,
    /// With unlimited buffering, without any, and with a few messages kept.
    schedules: [u64; Buffering::ALL.len()],
    /// Runs that were broken off as another one's.
    redundant: [u64; Buffering::ALL.len()],
    exhaustive: bool,
    /// Validation refused the input, or the workload has no such size.
    is_rejected: bool,
    faults: Vec<CheckFault>,
    /// What is not wrong and yet not the same in all orders.
    remarks: Vec<CheckFault>,
    /// Of one run that was run again: what came out.
    output: Option<String>,
}

/// What is wrong in a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct CheckFault {
    findings: Vec<Finding>,
    wrong: Option<String>,
    schedule: String,
    /// A run that comes to something else.
    differing_run: Option<String>,
}

/// A case, or why it could not be tried.
type CheckResult = Result<CheckedCase, String>;

/// Tries all cases, tells what came of them, and ends as a success if nothing is wrong.
pub(crate) fn main(
    package: Package,
    settings: &CampaignSettings,
    arguments: &BenchmarkArguments,
    lang: Lang,
) -> ExitCode {
    match check(package, settings, arguments, lang) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{}", wb_escape::terminal(&why));
            ExitCode::from(2)
        }
    }
}

fn check(
    package: Package,
    settings: &CampaignSettings,
    arguments: &BenchmarkArguments,
    lang: Lang,
) -> Result<bool, String> {
    let chosen = settings.select_workloads(arguments.workload.as_deref(), lang)?;
    let conditions = (settings.limit, lang);
    if let Some(again) = &arguments.replay {
        let case = replay(&chosen[0].name, again, conditions)?;
        let told = page::render_replay(&case, arguments.json, lang);
        // JSON escapes what it holds.
        print(format_args!("{}", if arguments.json { told.into() } else { wb_escape::terminal(&told) }));
        return Ok(case.faults.is_empty());
    }
    let start = Instant::now();
    let allowance = arguments.budget.unwrap_or(Budget::DEFAULT);
    let mut cases = Vec::new();
    for (at, WorkloadRequest { name, .. }) in chosen.iter().enumerate() {
        let workloads_left = chosen.len() - at;
        // Whoever breaks it off has the lines of what was tried.
        let tell = |case: &CheckedCase| {
            if arguments.json {
                print(format_args!("{}\n", to_json_line(package.name, case, lang)));
            }
        };
        cases.extend(check_workload(
            (name, &settings.ranks),
            allowance,
            (start, workloads_left),
            conditions,
            tell,
        )?);
    }
    if !arguments.json {
        let page = page::CheckReport {
            task: package.name,
            has_several_workloads: settings.workloads.len() > 1,
            cases: &cases,
        };
        print(format_args!("{}", wb_escape::terminal(&page.render(start.elapsed(), lang))));
    }
    Ok(cases.iter().all(|case| case.faults.is_empty()))
}

/// All cases of a workload from the smallest on, to the first that is wrong.
fn check_workload(
    (name, ranks): (&str, &[usize]),
    allowance: Budget,
    (start, workloads): (Instant, usize),
    conditions: (Option<Duration>, Lang),
    tell: impl Fn(&CheckedCase),
) -> Result<Vec<CheckedCase>, String> {
    let all: Vec<(usize, usize)> = ranks.iter().flat_map(|ranks| SIZES.map(|size| (*ranks, size))).collect();
    let mut cases = Vec::new();
    for (at, (ranks, size)) in all.iter().enumerate() {
        let left = all.len() - at + (workloads - 1) * all.len();
        let budget = allowance.share(start, left);
        let case = run_worker(name, (*ranks, *size), (budget, None), conditions)?;
        let ends = !case.faults.is_empty();
        tell(&case);
        cases.push(case);
        if ends {
            break;
        }
    }
    Ok(cases)
}

fn replay(name: &str, again: &ReplayId, conditions: (Option<Duration>, Lang)) -> CheckResult {
    let budget = exploration::ExplorationBudget { schedules: 1, time: WORKER_GRACE };
    run_worker(name, (again.ranks, again.size), (budget, Some(again.schedule.to_string())), conditions)
}

/// Has a case tried by a process of its own, one run no longer than `limit`. One that does not end is a fault of its own.
fn run_worker(
    name: &str,
    (ranks, size): (usize, usize),
    (budget, schedule): (exploration::ExplorationBudget, Option<String>),
    (limit, lang): (Option<Duration>, Lang),
) -> CheckResult {
    let folder = run_folder::create().map_err(|error| error.to_string())?;
    let exploration::ExplorationBudget { schedules, time } = budget;
    let request = WorkloadRequest { name: name.to_owned(), size };
    let order = CheckSpec { ranks, request, schedules, time, limit, schedule };
    let deadline = limit.map_or(UNLIMITED, |limit| time + limit + WORKER_GRACE);
    match protocol::run_worker(VARIABLE, &folder, &order, (deadline, lang)) {
        Err(WorkerError::Failed(why)) => Err(why),
        Err(vain) => Ok(order.unfinished_case(all_ranks::describe_worker_error(vain, deadline, lang))),
        Ok(case) => Ok(case),
    }
}

impl CheckSpec {
    /// What came of a case that did not come to an end.
    fn unfinished_case(&self, why: String) -> CheckedCase {
        let WorkloadRequest { name: workload, size } = self.request.clone();
        let fault = CheckFault { wrong: Some(why), ..CheckFault::default() };
        CheckedCase { workload, size, ranks: self.ranks, faults: vec![fault], ..CheckedCase::default() }
    }
}

/// The worker: carries the order out and leaves its answer.
pub(crate) fn worker(path: &Path, backends: Backends, program: &BenchmarkProgram) -> ExitCode {
    let blame = |order: &CheckSpec| -> BlameAnswer<CheckedCase> {
        let order = order.clone();
        Arc::new(move |why| Ok(order.unfinished_case(why.to_owned())))
    };
    all_ranks::run(path, blame, |order, guard, leave: &AnswerWriter<CheckedCase>| {
        let leave = leave.clone();
        guard.start_watching(order.limit, move |why| {
            leave.write_blame(why);
            wb_process::exit_now(1)
        })?;
        Ok(explore(order, guard, backends.orders, program))
    })
}

fn explore(
    order: &CheckSpec,
    guard: &RunGuard,
    backend: &dyn ModelChecker,
    program: &BenchmarkProgram,
) -> CheckResult {
    guard.enter();
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
        guard.begin_run();
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

impl CheckedCase {
    fn with_counts(self, explored: &ExplorationReport) -> Self {
        let ExplorationReport { counts: tried, failures: faults, remarks } = explored;
        // With less buffering nothing is tried where something is wrong before.
        let needed = if faults.is_empty() { &tried[..] } else { &tried[..1] };
        Self {
            schedules: tried.map(|tried| tried.schedules),
            redundant: tried.map(|tried| tried.redundant),
            exhaustive: needed.iter().all(|tried| tried.is_exhaustive),
            faults: faults.iter().map(CheckFault::from_run).collect(),
            remarks: remarks.iter().map(CheckFault::from_run).collect(),
            ..self
        }
    }

    /// All runs.
    fn runs(&self) -> u64 {
        self.schedules.iter().chain(&self.redundant).sum()
    }
}

impl CheckFault {
    fn from_run(fault: &exploration::ScheduleFinding) -> Self {
        let exploration::ScheduleFinding {
            verdict: RunVerdict { findings, failure: wrong, .. },
            schedule,
            other_schedule: beside,
        } = fault;
        let beside = beside.as_ref().map(ToString::to_string);
        Self {
            findings: findings.clone(),
            wrong: wrong.clone(),
            schedule: schedule.to_string(),
            differing_run: beside,
        }
    }

    /// How much must a library buffer for it?
    fn buffering(&self) -> Option<Buffering> {
        self.schedule.parse().ok().map(|schedule: Schedule| schedule.buffering)
    }
}

/// What a rank says of its run.
enum RankVerdict {
    /// All is well here, and this came out.
    Right(Option<String>),
    /// Validation refused the input, or there is none of this size.
    Rejected,
    /// The oracle says that the output is wrong.
    Wrong(String),
    /// It met an error that is a mistake.
    Found(Finding),
    /// It met an error, mostly because of another rank.
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

/// What a run is worth: what ranks found out before what follows from it.
fn run_verdict(outcome: JobOutcome, refused: &mut bool) -> RunVerdict {
    let (mut found, mut wrong, mut failed) = (vec![], None, None);
    let mut result = String::new();
    for (rank, ended) in outcome.ranks.into_iter().enumerate() {
        let said = match ended {
            RankTermination::Returned(said) => *said.downcast::<RankVerdict>().expect("what the job returns"),
            RankTermination::Panicked(text) => {
                RankVerdict::Wrong(output_tail::text(&error::peer_panicked(text)))
            }
            RankTermination::Unfinished | RankTermination::Starved(_) => {
                RankVerdict::Failed(output_tail::text(&error::late()))
            }
        };
        match said {
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

/// A case as a line of JSON: keys and codes are English, texts are in `lang`.
fn to_json_line(task: &str, case: &CheckedCase, lang: Lang) -> Value {
    let replay = |schedule: &String| format!("{}:{}:{schedule}", case.ranks, case.size);
    let told = |fault: &CheckFault| {
        let beside = fault.differing_run.as_ref().map(replay);
        let findings: Vec<_> = fault.findings.iter().map(|finding| finding_to_json(finding, lang)).collect();
        json!({ "findings": findings, "wrong": fault.wrong, "replay": replay(&fault.schedule), "beside": beside })
    };
    json!({
        "task": task,
        "workload": case.workload,
        "size": case.size,
        "ranks": case.ranks,
        "schedules": case.schedules,
        "redundant": case.redundant,
        "exhaustive": case.exhaustive,
        "refused": case.is_rejected,
        "faults": Value::from_iter(case.faults.iter().map(told)),
        "remarks": Value::from_iter(case.remarks.iter().map(told)),
        "output": case.output,
    })
}

/// A finding with its details in `lang`.
fn finding_to_json(finding: &Finding, lang: Lang) -> Value {
    let details: Vec<_> = finding.details.iter().map(|detail| detail.in_language(lang)).collect();
    json!({ "code": finding.code, "rank": finding.rank, "places": finding.locations, "details": details })
}

#[cfg(test)]
mod tests;
