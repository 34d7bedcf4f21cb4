//! The schedules of a job, and the results of exploring all of them.
//!
//! MPI leaves some choices open: which of several messages a receive from any source takes, whether a standard send
//! waits for its receive, what a nonblocking poll sees. A [`Schedule`] lists how each choice was made, so a short line
//! describes a whole run. A [`ModelChecker`] runs a job by a schedule.
//!
//! ```
//! use wb_comm::{Schedule, exploration::Buffering};
//! let schedule: Schedule = "1.0.2".parse()?;
//! assert_eq!((schedule.buffering, schedule.choices.as_slice()), (Buffering::None, &[0, 2][..]));
//! assert_eq!(schedule.to_string(), "1.0.2");
//! # Ok::<(), wb_comm::Error>(())
//! ```
use std::{fmt, str::FromStr, time::Duration};

use crate::{Error, Finding, RankFunction, Result, job::JobOutcome, text::exploration};

/// The behaviour of a standard send whose receive has not been posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Buffering {
    /// A standard send completes immediately, whatever the length of the message.
    Unlimited,
    /// A standard send waits for its receive, however short the message.
    None,
    /// A standard send waits, except for the few messages that the library buffers: any that wait while a receive from any source is
    /// served.
    Limited,
}

impl Buffering {
    /// All, in the order in which they are explored.
    pub const ALL: [Self; 3] = [Self::Unlimited, Self::None, Self::Limited];
}

/// Every choice that MPI leaves open: the buffering, then one number for each choice. Choices beyond the end are 0, the
/// first possibility.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Schedule {
    /// The buffering of standard sends: the first number of the line, 0 for unlimited, 1 for none, 2 for limited.
    pub buffering: Buffering,
    /// The number of the chosen possibility, from 0; only if there was more than one.
    pub choices: Vec<usize>,
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.buffering as usize)?;
        self.choices.iter().try_for_each(|choice| write!(f, ".{choice}"))
    }
}

impl FromStr for Schedule {
    type Err = Error;

    fn from_str(line: &str) -> Result<Self> {
        let refused = || Error::Setup(exploration::not_a_schedule(line));
        let numbers: Vec<usize> =
            line.split('.').map(str::parse).collect::<std::result::Result<_, _>>().map_err(|_| refused())?;
        let (first, choices) = numbers.split_first().ok_or_else(refused)?;
        let buffering = *Buffering::ALL.get(*first).ok_or_else(refused)?;
        Ok(Self { buffering, choices: choices.to_vec() })
    }
}

/// The limits of an exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplorationBudget {
    /// The largest number of runs.
    pub schedules: u64,
    /// The largest time; a run that has begun is completed.
    pub time: Duration,
}

/// The verdict on a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunVerdict {
    /// The mistakes that were found in it.
    pub findings: Vec<Finding>,
    /// A failure that is not a finding: a wrong result, a panic.
    pub failure: Option<String>,
    /// The result as text: a line for each rank that has one, `rank 0: [1, 2]`. Correct runs are expected to have the
    /// same.
    pub result: Option<String>,
}

impl RunVerdict {
    /// Whether the run is correct.
    pub fn is_correct(&self) -> bool {
        self.findings.is_empty() && self.failure.is_none()
    }
}

/// A failure, and a run in which it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleFinding {
    /// The verdict.
    pub verdict: RunVerdict,
    /// The run.
    pub schedule: Schedule,
    /// A run with another result, if each of the two is correct by itself.
    pub other_schedule: Option<Schedule>,
}

/// The number of runs with one buffering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExplorationCount {
    /// Complete runs.
    pub schedules: u64,
    /// Runs that were cut off because they equal another run with independent steps exchanged.
    pub redundant: u64,
    /// Whether these are all runs.
    pub is_exhaustive: bool,
}

/// The result of an exploration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExplorationReport {
    /// For each [`Buffering`]; no schedules if it was not explored, because it was not needed or because of an earlier
    /// failure.
    pub counts: [ExplorationCount; Buffering::ALL.len()],
    /// The failures, each mistake once.
    pub failures: Vec<ScheduleFinding>,
    /// Differences between orders that are not failures: other rounding of floating-point numbers.
    pub remarks: Vec<ScheduleFinding>,
}

/// The verdict on a run, for the model checker.
pub type RunJudge<'j> = dyn FnMut(JobOutcome) -> RunVerdict + 'j;

/// Runs a job in every order that MPI allows.
pub trait ModelChecker: Sync {
    /// Runs `job` on `size` ranks in one order after the other, until all are explored or the budget is spent.
    ///
    /// It starts with unlimited buffering, which has half of the budget. Then follow no buffering, and limited
    /// buffering if a receive from any source had a choice. The next one is explored only if all runs so far were
    /// correct: most failures with buffering also occur without it, but are harder to explain then.
    ///
    /// # Errors
    /// [`Error::Setup`]: the job makes other choices when it is run again, so it depends on something besides its
    /// messages.
    fn explore(
        &self,
        size: usize,
        budget: ExplorationBudget,
        job: &RankFunction,
        judge: &mut RunJudge<'_>,
    ) -> Result<ExplorationReport>;

    /// Runs `job` once, in this order.
    ///
    /// # Errors
    /// [`Error::Setup`]: the schedule makes a choice that does not exist.
    fn replay(&self, size: usize, schedule: &Schedule, job: &RankFunction) -> Result<JobOutcome>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_schedule_is_refused() {
        for line in ["", "3", "0.", "0..1", "0.x", "-1", "0,1"] {
            assert!(line.parse::<Schedule>().is_err(), "{line}");
        }
        assert_eq!("0".parse::<Schedule>().map(|schedule| schedule.choices), Ok(vec![]));
    }
}
