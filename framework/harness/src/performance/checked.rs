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
    Finding, Orders, Rank, Schedule, ThreadsJob, Transport,
    job::{Ended, Outcome},
    orders::{self, Buffering, Explored, Judgement},
    text::error,
};
use wb_messages::Lang;
use wb_process::output::say;
use wb_task::{Failure, Verdict};

use super::{
    Package, Program,
    all_ranks::{self, Blame, Guard, Leave},
    arguments::Arguments,
    measure::Stopped,
    order::Request,
    settings::Settings,
    simulated::Manner,
};
use crate::{
    Backends,
    errand::{self, Vain},
    folder,
    functional::told::{finding as finding_json, finding_in_words, finding_of},
    objection, said,
};

mod again;
mod allowance;
mod page;

pub(crate) use again::{Again, MOST_RANKS, MOST_SIZE};
pub(crate) use allowance::Allowance;

/// The environment variable that makes this program a worker of a check: the path of its order.
pub(crate) const VARIABLE: &str = "WB_CHECK_ORDER";

/// The sizes that are tried: one element, and numbers that no number of ranks divides.
const SIZES: [usize; 4] = [1, 2, 3, 7];

/// The seed of the inputs: a schedule means the same on every computer and on every day.
const SEED: u64 = 1;

/// How long a worker may take beyond its budget: to start, and to end the run that it is in.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long a worker may take whose runs have no limit.
const UNLIMITED: Duration = Duration::from_secs(24 * 3600);

/// What a worker is to try.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Order {
    ranks: usize,
    request: Request,
    schedules: u64,
    time: Duration,
    /// How long one run may take.
    limit: Option<Duration>,
    /// One run only: this one.
    schedule: Option<String>,
}

/// What came of a case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Case {
    workload: String,
    size: usize,
    ranks: usize,
    /// With unlimited buffering, without any, and with a few messages kept.
    schedules: [u64; Buffering::ALL.len()],
    /// Runs that were broken off as another one's.
    redundant: [u64; Buffering::ALL.len()],
    exhaustive: bool,
    /// Validation refused the input, or the workload has no such size.
    refused: bool,
    faults: Vec<Fault>,
    /// What is not wrong and yet not the same in all orders.
    remarks: Vec<Fault>,
    /// Of one run that was run again: what came out.
    output: Option<String>,
}

/// What is wrong in a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Fault {
    findings: Vec<Value>,
    wrong: Option<String>,
    schedule: String,
    /// A run that comes to something else.
    beside: Option<String>,
}

/// A case, or why it could not be tried.
type Answer = Result<Case, String>;

/// Tries all cases, tells what came of them, and ends as a success if nothing is wrong.
pub(crate) fn main(package: Package, settings: &Settings, arguments: &Arguments, lang: Lang) -> ExitCode {
    match check(package, settings, arguments, lang) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{}", wb_escape::terminal(&why));
            ExitCode::from(2)
        }
    }
}

fn check(package: Package, settings: &Settings, arguments: &Arguments, lang: Lang) -> Result<bool, String> {
    let chosen = settings.chosen(arguments.workload.as_deref(), lang)?;
    let conditions = (settings.limit, lang);
    if let Some(again) = &arguments.replay {
        let case = replay(&chosen[0].name, again, conditions)?;
        let told = page::replayed(&case, arguments.json, lang);
        // JSON escapes what it holds.
        say(format_args!("{}", if arguments.json { told.into() } else { wb_escape::terminal(&told) }));
        return Ok(case.faults.is_empty());
    }
    let start = Instant::now();
    let allowance = arguments.budget.unwrap_or(Allowance::USUAL);
    let mut cases = Vec::new();
    for (at, Request { name, .. }) in chosen.iter().enumerate() {
        let workloads_left = chosen.len() - at;
        // Whoever breaks it off has the lines of what was tried.
        let tell = |case: &Case| {
            if arguments.json {
                say(format_args!("{}\n", line(package.name, case, lang)));
            }
        };
        cases.extend(try_workload(
            (name, &settings.ranks),
            allowance,
            (start, workloads_left),
            conditions,
            tell,
        )?);
    }
    if !arguments.json {
        let page = page::Page { task: package.name, several: settings.workloads.len() > 1, cases: &cases };
        say(format_args!("{}", wb_escape::terminal(&page.told(start.elapsed(), lang))));
    }
    Ok(cases.iter().all(|case| case.faults.is_empty()))
}

/// All cases of a workload from the smallest on, to the first that is wrong.
fn try_workload(
    (name, ranks): (&str, &[usize]),
    allowance: Allowance,
    (start, workloads): (Instant, usize),
    conditions: (Option<Duration>, Lang),
    tell: impl Fn(&Case),
) -> Result<Vec<Case>, String> {
    let all: Vec<(usize, usize)> = ranks.iter().flat_map(|ranks| SIZES.map(|size| (*ranks, size))).collect();
    let mut cases = Vec::new();
    for (at, (ranks, size)) in all.iter().enumerate() {
        let left = all.len() - at + (workloads - 1) * all.len();
        let budget = allowance.share(start, left);
        let case = carry(name, (*ranks, *size), (budget, None), conditions)?;
        let ends = !case.faults.is_empty();
        tell(&case);
        cases.push(case);
        if ends {
            break;
        }
    }
    Ok(cases)
}

fn replay(name: &str, again: &Again, conditions: (Option<Duration>, Lang)) -> Answer {
    let budget = orders::Budget { schedules: 1, time: PATIENCE };
    carry(name, (again.ranks, again.size), (budget, Some(again.schedule.to_string())), conditions)
}

/// Has a case tried by a process of its own, one run no longer than `limit`. One that does not end is a fault of its own.
fn carry(
    name: &str,
    (ranks, size): (usize, usize),
    (budget, schedule): (orders::Budget, Option<String>),
    (limit, lang): (Option<Duration>, Lang),
) -> Answer {
    let folder = folder::create().map_err(|error| error.to_string())?;
    let orders::Budget { schedules, time } = budget;
    let request = Request { name: name.to_owned(), size };
    let order = Order { ranks, request, schedules, time, limit, schedule };
    let deadline = limit.map_or(UNLIMITED, |limit| time + limit + PATIENCE);
    match errand::send(VARIABLE, &folder, &order, (deadline, lang)) {
        Err(Vain::Failed(why)) => Err(why),
        Err(vain) => Ok(order.without_end(all_ranks::reason(vain, deadline, lang))),
        Ok(case) => Ok(case),
    }
}

impl Order {
    /// What came of a case that did not come to an end.
    fn without_end(&self, why: String) -> Case {
        let Request { name: workload, size } = self.request.clone();
        let fault = Fault { wrong: Some(why), ..Fault::default() };
        Case { workload, size, ranks: self.ranks, faults: vec![fault], ..Case::default() }
    }
}

/// The worker: carries the order out and leaves its answer.
pub(crate) fn worker(path: &Path, backends: Backends, program: &Program) -> ExitCode {
    let blame = |order: &Order| -> Blame<Case> {
        let order = order.clone();
        Arc::new(move |why| Ok(order.without_end(why.to_owned())))
    };
    all_ranks::run(path, blame, |order, guard, leave: &Leave<Case>| {
        let leave = leave.clone();
        guard.watch(order.limit, move |why| {
            leave.blame(why);
            wb_process::exit_now(1)
        })?;
        Ok(carried_out(order, guard, backends.orders, program))
    })
}

fn carried_out(order: &Order, guard: &Guard, backend: &dyn Orders, program: &Program) -> Answer {
    guard.enter();
    let (solution, request) = (Arc::clone(&program.mpi), order.request.clone());
    let job: ThreadsJob = Arc::new(move |transport: Rc<dyn Transport>| {
        let rank = transport.rank();
        let pass = solution.simulate(transport, &request, SEED, (Manner::Told, &Default::default()));
        Box::new(Said::of(rank, pass.map(|pass| (pass.verdict, pass.output))))
    });
    let Request { name: workload, size } = order.request.clone();
    let case = Case { workload, size, ranks: order.ranks, exhaustive: true, ..Case::default() };
    let mut refused = false;
    let mut judge = |outcome| {
        guard.begin_run();
        judged(outcome, &mut refused)
    };
    let told = |error: wb_comm::Error| said::text(&error.text());
    let case = match &order.schedule {
        None => {
            let budget = orders::Budget { schedules: order.schedules, time: order.time };
            let compared = program.mpi.has_one_answer();
            let mut judge = |outcome| {
                let judgement = judge(outcome);
                Judgement { result: judgement.result.filter(|_| compared), ..judgement }
            };
            let explored = backend.explore(order.ranks, budget, &job, &mut judge).map_err(told)?;
            case.with(&explored)
        }
        Some(line) => {
            let schedule: Schedule = line.parse().map_err(told)?;
            let judgement = judge(backend.replay(order.ranks, &schedule, &job).map_err(told)?);
            let output = judgement.result.clone();
            let fault = orders::Fault { judgement, schedule, beside: None };
            let faults = if fault.judgement.is_right() { vec![] } else { vec![Fault::of(&fault)] };
            Case { schedules: [1, 0, 0], faults, output, ..case }
        }
    };
    Ok(Case { refused, ..case })
}

impl Case {
    fn with(self, explored: &Explored) -> Self {
        let Explored { tried, faults, remarks } = explored;
        // With less buffering nothing is tried where something is wrong before.
        let needed = if faults.is_empty() { &tried[..] } else { &tried[..1] };
        Self {
            schedules: tried.map(|tried| tried.schedules),
            redundant: tried.map(|tried| tried.redundant),
            exhaustive: needed.iter().all(|tried| tried.exhausted),
            faults: faults.iter().map(Fault::of).collect(),
            remarks: remarks.iter().map(Fault::of).collect(),
            ..self
        }
    }

    /// All runs.
    fn runs(&self) -> u64 {
        self.schedules.iter().chain(&self.redundant).sum()
    }
}

impl Fault {
    fn of(fault: &orders::Fault) -> Self {
        let orders::Fault { judgement: Judgement { findings, wrong, .. }, schedule, beside } = fault;
        let findings = findings.iter().map(finding_json).collect();
        let beside = beside.as_ref().map(ToString::to_string);
        Self { findings, wrong: wrong.clone(), schedule: schedule.to_string(), beside }
    }

    fn findings(&self) -> impl Iterator<Item = Finding> {
        self.findings.iter().filter_map(finding_of)
    }

    /// How much must a library buffer for it?
    fn buffering(&self) -> Option<Buffering> {
        self.schedule.parse().ok().map(|schedule: Schedule| schedule.buffering)
    }
}

/// What a rank says of its run.
enum Said {
    /// All is well here, and this came out.
    Right(Option<String>),
    /// Validation refused the input, or there is none of this size.
    Refused,
    /// The oracle says that the output is wrong.
    Wrong(String),
    /// It met an error that is a mistake.
    Found(Finding),
    /// It met an error, mostly because of another rank.
    Failed(String),
}

impl Said {
    fn of(rank: Rank, verdict: Result<(Option<Verdict>, Option<String>), Stopped>) -> Self {
        match verdict {
            Ok((None | Some(Verdict::Right), output)) => Self::Right(output),
            Ok((Some(wrong), _)) => {
                Self::Wrong(objection::in_a_line(&wrong, Lang::of_environment()).unwrap_or_default())
            }
            Err(Stopped::Task(Failure::Invalid { .. }) | Stopped::NoWorkload(_)) => Self::Refused,
            Err(Stopped::Task(Failure::Stage { at, ref source, .. })) => Finding::of_error(rank, at, source)
                .map_or_else(|| Self::Failed(said::text(&source.text())), Self::Found),
            Err(other) => Self::Failed(said::text(&other.text())),
        }
    }
}

/// What a run is worth: what ranks found out before what follows from it.
fn judged(outcome: Outcome, refused: &mut bool) -> Judgement {
    let (mut found, mut wrong, mut failed) = (vec![], None, None);
    let mut result = String::new();
    for (rank, ended) in outcome.ranks.into_iter().enumerate() {
        let said = match ended {
            Ended::Returned(said) => *said.downcast::<Said>().expect("what the job returns"),
            Ended::Panicked(text) => Said::Wrong(said::text(&error::peer_panicked(text))),
            Ended::Lost | Ended::Waited(_) => Said::Failed(said::text(&error::late())),
        };
        match said {
            Said::Right(output) => {
                result.extend(output.map(|output| format!("rank {rank}: {output}\n")));
            }
            Said::Refused => *refused = true,
            Said::Wrong(why) => wrong = wrong.or(Some(said::text(&error::of_rank(rank, why)))),
            Said::Found(finding) => found.push(finding),
            Said::Failed(why) => failed = failed.or(Some(said::text(&error::of_rank(rank, why)))),
        }
    }
    if found.is_empty() {
        found = outcome.findings;
    }
    found.dedup();
    let wrong = if found.is_empty() { wrong.or(failed) } else { wrong };
    Judgement { findings: found, wrong, result: Some(result) }
}

/// A case as a line of JSON: keys and codes are English, texts are in `lang`.
fn line(task: &str, case: &Case, lang: Lang) -> Value {
    let replay = |schedule: &String| format!("{}:{}:{schedule}", case.ranks, case.size);
    let told = |fault: &Fault| {
        let beside = fault.beside.as_ref().map(replay);
        let findings: Vec<_> = fault.findings().map(|finding| finding_in_words(&finding, lang)).collect();
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
        "refused": case.refused,
        "faults": Value::from_iter(case.faults.iter().map(told)),
        "remarks": Value::from_iter(case.remarks.iter().map(told)),
        "output": case.output,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(ranks: Vec<Said>, findings: Vec<Finding>) -> Outcome {
        let ranks = ranks.into_iter().map(|said| Ended::Returned(Box::new(said))).collect();
        Outcome { ranks, blocked: vec![], timed_out: false, findings }
    }

    #[test]
    fn a_run_is_worth_what_its_ranks_say_and_errors_of_others_are_no_news() {
        let finding = |code| Finding { code, rank: 0, places: vec![], details: vec![] };
        let mut refused = false;
        let mut judge = |ranks, findings| judged(outcome(ranks, findings), &mut refused);
        let right = judge(vec![Said::Right(None), Said::Right(Some("[2]".into()))], vec![]);
        assert!(right.is_right() && right.result.as_deref() == Some("rank 1: [2]\n"));
        let same = |one: Judgement, findings: Vec<Finding>| {
            assert_eq!((one.findings, one.wrong), (findings, None));
        };
        let (tag, deadlock) = (wb_comm::Code::Tag, wb_comm::Code::Deadlock);
        let of_rank =
            judge(vec![Said::Found(finding(tag)), Said::Failed("of 0".into())], vec![finding(deadlock)]);
        same(of_rank, vec![finding(tag)]);
        let of_job = judge(vec![Said::Failed("waits".into())], vec![finding(deadlock)]);
        same(of_job, vec![finding(deadlock)]);
        let of_nobody = judge(vec![Said::Right(None), Said::Failed("waits".into())], vec![]);
        assert_eq!(of_nobody.wrong.as_deref(), Some("rank 1: waits"));
        let of_oracle = judge(vec![Said::Wrong("3, not 4".into())], vec![]);
        assert_eq!(of_oracle.wrong.as_deref(), Some("rank 0: 3, not 4"));
        assert!(judge(vec![Said::Refused], vec![]).is_right());
        assert!(refused);
    }
}
