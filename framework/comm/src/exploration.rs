//! The orders in which a job may go, and what comes of trying them all.
//!
//! MPI leaves some things open: which of several messages a receive from any source takes, whether a standard send waits
//! for its receive, what somebody sees who looks without waiting. A [`Schedule`] says how each of these was decided, so it
//! is a whole run in a short line; who can run a job by it is [`ModelChecker`].
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

/// What becomes of a standard send whose receive has not been posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Buffering {
    /// It completes immediately, whatever the length of the message.
    Unlimited,
    /// It waits for its receive, however short the message.
    None,
    /// It waits, but for the few that the library keeps: any that wait while a receive from any source is served.
    Limited,
}

impl Buffering {
    /// All, in the order in which they are tried.
    pub const ALL: [Self; 3] = [Self::Unlimited, Self::None, Self::Limited];
}

/// How everything was decided that MPI leaves open: the buffering, then one number a choice. What is beyond its end is
/// decided by 0, the first that can be.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Schedule {
    /// Of standard sends: the first number of its line, 0 for all, 1 for none, 2 for a few.
    pub buffering: Buffering,
    /// Which of the possibilities, from 0; only where there was more than one.
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

/// How much is tried at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplorationBudget {
    /// So many runs.
    pub schedules: u64,
    /// So much time; a run that has begun is not broken off.
    pub time: Duration,
}

/// What a run is worth.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunVerdict {
    /// The mistakes that were found in it.
    pub findings: Vec<Finding>,
    /// What else is wrong with it: a wrong result, a panic.
    pub failure: Option<String>,
    /// What came out, as it is written: a line for each rank that has something, `rank 0: [1, 2]`. Runs that are right are
    /// expected to agree in it.
    pub result: Option<String>,
}

impl RunVerdict {
    /// Is all well?
    pub fn is_correct(&self) -> bool {
        self.findings.is_empty() && self.failure.is_none()
    }
}

/// What is wrong, and a run in which it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleFinding {
    /// What is wrong.
    pub verdict: RunVerdict,
    /// The run.
    pub schedule: Schedule,
    /// A run with another result, if each of the two is right by itself.
    pub other_schedule: Option<Schedule>,
}

/// The number of runs with one buffering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExplorationCount {
    /// Runs to the end.
    pub schedules: u64,
    /// Runs that were broken off because they were another one's with independent steps exchanged.
    pub redundant: u64,
    /// Were these all that there are?
    pub is_exhaustive: bool,
}

/// The result of an exploration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExplorationReport {
    /// With each [`Buffering`]; no schedules where that was not tried, since it was not needed or since something was wrong before.
    pub counts: [ExplorationCount; Buffering::ALL.len()],
    /// What is wrong, the same mistake once.
    pub failures: Vec<ScheduleFinding>,
    /// What is not wrong and yet not the same in all orders: floating-point numbers that are rounded otherwise.
    pub remarks: Vec<ScheduleFinding>,
}

/// The verdict on a run, for the model checker.
pub type RunJudge<'j> = dyn FnMut(JobOutcome) -> RunVerdict + 'j;

/// Who runs a job in every order that MPI allows.
pub trait ModelChecker: Sync {
    /// Runs `job` on `size` ranks in one order after the other, until there are no more or the budget is spent.
    ///
    /// First with unlimited buffering, which has half of the budget; then without any, and with a few where a receive from any source
    /// had a choice. The next only when all was right so far, since what is wrong with buffering is mostly wrong
    /// without it too, and explained worse. Results of runs with one buffering are compared with each other.
    ///
    /// # Errors
    /// [`Error::Setup`]: the job makes other choices when it is run again, so it leans on something besides its messages.
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
