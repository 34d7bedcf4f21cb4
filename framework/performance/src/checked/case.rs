//! A case of a check: its input, its budget, its results, and a run of it that is replayed.
use std::{
    str::FromStr,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use wb_comm::{
    Finding, Schedule,
    exploration::{Buffering, ExplorationBudget, ExplorationReport, RunVerdict, ScheduleFinding},
};

use crate::job_spec::WorkloadRequest;

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
