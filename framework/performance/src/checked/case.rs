//! A case of a check: its input and its results.
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wb_comm::{
    Finding, Schedule,
    exploration::{self, Buffering, ExplorationReport, RunVerdict},
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

/// A case, or the reason why it could not be tried.
pub(crate) type CheckResult = Result<CheckedCase, String>;

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
    pub(crate) fn from_run(fault: &exploration::ScheduleFinding) -> Self {
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

    /// The buffering that the case needs from a library.
    pub(crate) fn buffering(&self) -> Option<Buffering> {
        self.schedule.parse().ok().map(|schedule: Schedule| schedule.buffering)
    }
}
