//! A task in every order that MPI allows, on the smallest inputs, as requested by `cargo wb check`.
//!
//! A case is a workload at a size on a number of ranks. Each runs in a separate process, which is terminated when it
//! computes for ever. The smallest wrong case of a workload ends its check, since larger ones would show the same
//! error.
use std::time::{Duration, Instant};

use wb_comm::exploration::ExplorationBudget;
use wb_messages::Lang;
use wb_process::output::print;
use wb_runner::{
    StopReason,
    single_worker::{self, WorkerError},
};

use crate::{
    all_ranks,
    arguments::BenchmarkArguments,
    checked::case::{Budget, CheckSpec, CheckedCase, ReplayId, SIZES},
    job_spec::{WorkerOrder, WorkloadRequest},
    program::Package,
    settings::CampaignSettings,
};

pub(crate) mod case;
mod page;
pub(crate) mod worker;

/// The time of a worker beyond its budget: for its start, and for the end of its current run.
const WORKER_GRACE: Duration = Duration::from_secs(30);

/// The time limit of a worker whose runs have no limit.
const UNLIMITED: Duration = Duration::from_secs(24 * 3600);

/// Tries all cases and reports the results; returns whether there are some and nothing is wrong.
pub(crate) fn check(
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
        // JSON escapes its strings.
        print(format_args!("{}", if arguments.json { told.into() } else { wb_escape::terminal(&told) }));
        return Ok(case.faults.is_empty());
    }
    let start = Instant::now();
    let allowance = arguments.budget.unwrap_or(Budget::DEFAULT);
    let mut cases = Vec::new();
    for (at, WorkloadRequest { name, .. }) in chosen.iter().enumerate() {
        let workloads_left = chosen.len() - at;
        // Each case is printed when it ends, so that the lines are complete after an interruption.
        let tell = |case: &CheckedCase| {
            if arguments.json {
                print(format_args!("{}\n", page::to_json_line(package.name, case, lang)));
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
    Ok(cases.iter().any(|case| !case.is_rejected) && cases.iter().all(|case| case.faults.is_empty()))
}

/// Checks the cases of a workload in ascending order, up to the first wrong one.
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

fn replay(name: &str, again: &ReplayId, conditions: (Option<Duration>, Lang)) -> Result<CheckedCase, String> {
    let budget = ExplorationBudget { schedules: 1, time: WORKER_GRACE };
    run_worker(name, (again.ranks, again.size), (budget, Some(again.schedule.to_string())), conditions)
}

/// Checks a case in a separate process, with `limit` for one run. A run that does not end is a fault.
fn run_worker(
    name: &str,
    (ranks, size): (usize, usize),
    (budget, schedule): (ExplorationBudget, Option<String>),
    (limit, lang): (Option<Duration>, Lang),
) -> Result<CheckedCase, String> {
    let ExplorationBudget { schedules, time } = budget;
    let request = WorkloadRequest { name: name.to_owned(), size };
    let order = CheckSpec { ranks, request, schedules, time, limit, schedule };
    let deadline = limit.map_or(UNLIMITED, |limit| time + limit + WORKER_GRACE);
    match single_worker::run_worker(&WorkerOrder::Check(order.clone()), (deadline, lang)) {
        Err(WorkerError::Stopped(StopReason::Error(why))) => Err(why),
        Err(vain) => Ok(order.unfinished_case(all_ranks::describe_worker_error(vain, deadline, lang))),
        Ok(case) => Ok(case),
    }
}
