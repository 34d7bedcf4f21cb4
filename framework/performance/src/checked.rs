//! A task in every order that MPI allows, on the smallest inputs, as requested by `cargo wb check`.
//!
//! A case is a workload at a size on a number of ranks. Each runs in a separate process, which is terminated when it
//! computes for ever. The smallest wrong case of a workload ends its check, since larger ones would show the same
//! error.
use std::{
    str::FromStr,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use wb_comm::{
    Finding, Schedule,
    exploration::{Buffering, ExplorationBudget, ExplorationReport, RunVerdict, ScheduleFinding},
};
use wb_messages::Lang;
use wb_process::output::print;
use wb_runner::{
    StopReason,
    single_worker::{self, WorkerError},
};

use crate::{
    all_ranks,
    arguments::BenchmarkArguments,
    job::{WorkerOrder, WorkloadRequest},
    program::Package,
    settings::CampaignSettings,
};

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
        let rendered = page::render_replay(&case, arguments.json, lang);
        // JSON escapes its strings.
        print(format_args!(
            "{}",
            if arguments.json { rendered.into() } else { wb_text::escape::terminal(&rendered) }
        ));
        return Ok(case.faults.is_empty());
    }
    let start = Instant::now();
    let allowance = arguments.budget.unwrap_or(Budget::DEFAULT);
    let mut cases = Vec::new();
    for (at, WorkloadRequest { name, .. }) in chosen.iter().enumerate() {
        let workloads_left = chosen.len() - at;
        // Each case is printed when it ends, so that the lines are complete after an interruption.
        let report = |case: &CheckedCase| {
            if arguments.json {
                print(format_args!("{}\n", page::to_json_line(package.name, case, lang)));
            }
        };
        cases.extend(check_workload(
            (name, &settings.ranks),
            allowance,
            (start, workloads_left),
            conditions,
            report,
        )?);
    }
    if !arguments.json {
        let page = page::CheckReport {
            task: package.name,
            has_several_workloads: settings.workloads.len() > 1,
            cases: &cases,
        };
        print(format_args!("{}", wb_text::escape::terminal(&page.render(start.elapsed(), lang))));
    }
    Ok(cases.iter().any(|case| !case.is_rejected) && cases.iter().all(|case| case.faults.is_empty()))
}

/// Checks the cases of a workload in ascending order, up to the first wrong one.
fn check_workload(
    (name, ranks): (&str, &[usize]),
    allowance: Budget,
    (start, workloads): (Instant, usize),
    conditions: (Option<Duration>, Lang),
    report: impl Fn(&CheckedCase),
) -> Result<Vec<CheckedCase>, String> {
    let all: Vec<(usize, usize)> = ranks.iter().flat_map(|ranks| SIZES.map(|size| (*ranks, size))).collect();
    let mut cases = Vec::new();
    for (at, (ranks, size)) in all.iter().enumerate() {
        let left = all.len() - at + (workloads - 1) * all.len();
        let budget = allowance.share(start, left);
        let case = run_worker(name, (*ranks, *size), (budget, None), conditions)?;
        let ends = !case.faults.is_empty();
        report(&case);
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
        Err(error) => Ok(order.unfinished_case(all_ranks::describe_worker_error(error, deadline, lang))),
        Ok(case) => Ok(case),
    }
}

/// The sizes that are tried: one element, and numbers that no number of ranks divides.
pub(crate) const SIZES: [usize; 4] = [1, 2, 3, 7];

/// The case that a worker tries.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CheckSpec {
    pub(crate) ranks: usize,
    pub(crate) request: WorkloadRequest,
    pub(crate) schedules: u64,
    pub(crate) time: Duration,
    /// The limit of one run.
    pub(crate) limit: Option<Duration>,
    /// The only run to make, if one is replayed.
    pub(crate) schedule: Option<String>,
}

/// The results of a case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct CheckedCase {
    pub(crate) workload: String,
    pub(crate) size: usize,
    pub(crate) ranks: usize,
    /// The number of schedules with unlimited buffering, without buffering, and with a few buffered messages.
    pub(crate) schedules: [u64; Buffering::ALL.len()],
    /// The number of runs that were stopped as equivalent to another run.
    pub(crate) redundant: [u64; Buffering::ALL.len()],
    pub(crate) exhaustive: bool,
    /// Whether validation refused the input, or the workload has no such size.
    pub(crate) is_rejected: bool,
    pub(crate) faults: Vec<CheckFault>,
    /// Differences between orders that are not errors.
    pub(crate) remarks: Vec<CheckFault>,
    /// The output of a replayed run.
    pub(crate) output: Option<String>,
}

/// An error in a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct CheckFault {
    pub(crate) findings: Vec<Finding>,
    pub(crate) wrong: Option<String>,
    pub(crate) schedule: String,
    /// A run with a different result.
    pub(crate) differing_run: Option<String>,
}

impl CheckSpec {
    /// The results of a case that did not end.
    pub(crate) fn unfinished_case(&self, why: String) -> CheckedCase {
        let WorkloadRequest { name: workload, size } = self.request.clone();
        let fault = CheckFault { wrong: Some(why), ..CheckFault::default() };
        CheckedCase { workload, size, ranks: self.ranks, faults: vec![fault], ..CheckedCase::default() }
    }
}

impl CheckedCase {
    pub(crate) fn with_counts(self, explored: &ExplorationReport) -> Self {
        let ExplorationReport { counts: tried, failures: faults, remarks } = explored;
        // Less buffering is not tried where more buffering has found an error.
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

    pub(crate) fn runs(&self) -> u64 {
        self.schedules.iter().chain(&self.redundant).sum()
    }
}

impl CheckFault {
    pub(crate) fn from_run(fault: &ScheduleFinding) -> Self {
        let ScheduleFinding { verdict: RunVerdict { findings, failure, .. }, schedule, other_schedule } =
            fault;
        Self {
            findings: findings.clone(),
            wrong: failure.clone(),
            schedule: schedule.to_string(),
            differing_run: other_schedule.as_ref().map(ToString::to_string),
        }
    }

    /// The buffering that the case needs from a library.
    pub(crate) fn buffering(&self) -> Option<Buffering> {
        self.schedule.parse().ok().map(|schedule: Schedule| schedule.buffering)
    }
}

/// The budget of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Budget {
    /// For all cases together: `10s`.
    Time(Duration),
    /// For each case: `1000`.
    Schedules(u64),
}

impl Budget {
    /// The budget if none is requested.
    pub(crate) const DEFAULT: Self = Self::Time(Duration::from_secs(50));

    /// The largest number of seconds that can be requested: a day.
    const MAX_SECONDS: u64 = 24 * 60 * 60;

    /// The time limit of a case if the budget is a number of schedules.
    const MAX_TIME_PER_CASE: Duration = Duration::from_secs(3600);

    /// The budget of one case of `cases`.
    pub(crate) fn share(self, start: Instant, cases: usize) -> ExplorationBudget {
        match self {
            Self::Time(time) => {
                let left = time.saturating_sub(start.elapsed());
                ExplorationBudget {
                    schedules: u64::MAX,
                    time: left / u32::try_from(cases).unwrap_or(u32::MAX),
                }
            }
            Self::Schedules(schedules) => ExplorationBudget { schedules, time: Self::MAX_TIME_PER_CASE },
        }
    }
}

impl FromStr for Budget {
    type Err = ();

    fn from_str(line: &str) -> Result<Self, ()> {
        let number = |digits: &str| digits.parse().ok().filter(|number| *number > 0).ok_or(());
        match line.strip_suffix('s') {
            Some(seconds) => {
                let seconds =
                    number(seconds).ok().filter(|seconds| *seconds <= Self::MAX_SECONDS).ok_or(())?;
                Ok(Self::Time(Duration::from_secs(seconds)))
            }
            None => number(line).map(Self::Schedules),
        }
    }
}

/// The largest number of ranks of a replay: far more than a check tries, and few enough to be fast.
pub(crate) const MAX_RANKS: usize = 64;
pub(crate) const MAX_SIZE: usize = 1000;

/// A run that can be run again: `3:7:0.2.1` is the schedule 0.2.1 on 3 ranks at size 7.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplayId {
    pub(crate) ranks: usize,
    pub(crate) size: usize,
    pub(crate) schedule: Schedule,
}

impl FromStr for ReplayId {
    type Err = ();

    fn from_str(line: &str) -> Result<Self, ()> {
        let [ranks, size, schedule] = line.split(':').collect::<Vec<_>>().try_into().map_err(drop)?;
        let number =
            |digits: &str, most| digits.parse().ok().filter(|number| (1..=most).contains(number)).ok_or(());
        let (ranks, size) = (number(ranks, MAX_RANKS)?, number(size, MAX_SIZE)?);
        Ok(Self { ranks, size, schedule: schedule.parse().map_err(drop)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read_and_misprints_are_not() {
        assert_eq!("10s".parse(), Ok(Budget::Time(Duration::from_secs(10))));
        assert_eq!("500".parse(), Ok(Budget::Schedules(500)));
        for wrong in ["", "s", "0", "0s", "-1", "10m", "1.5s", "86401s", "18446744073709551615s"] {
            assert_eq!(wrong.parse::<Budget>(), Err(()), "{wrong}");
        }
    }

    #[test]
    fn runs_are_read_and_what_would_take_for_ever_is_not() {
        let again: ReplayId = "3:7:0.2.1".parse().expect("a run");
        assert_eq!((again.ranks, again.size, again.schedule.to_string()), (3, 7, "0.2.1".to_owned()));
        let long = ["2:18446744073709551615:0", "2:1001:0", "65:7:0", "3:7:0.18446744073709551616"];
        for wrong in ["", "3:7", "3:7:", "0:7:0", "3:0:0", "3:7:3", "3:7:0:1"].into_iter().chain(long) {
            assert_eq!(wrong.parse::<ReplayId>(), Err(()), "{wrong}");
        }
    }
}
