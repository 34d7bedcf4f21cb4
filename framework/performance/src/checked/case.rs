//! A case of a check: what is tried, and what was found.
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wb_comm::{
    Finding, Schedule,
    exploration::{self, Buffering, ExplorationReport, RunVerdict},
};

use crate::job_spec::WorkloadRequest;

/// The sizes that are tried: one element, and numbers that no number of ranks divides.
pub(crate) const SIZES: [usize; 4] = [1, 2, 3, 7];

/// What a worker is to try.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CheckSpec {
    pub(crate) ranks: usize,
    pub(crate) request: WorkloadRequest,
    pub(crate) schedules: u64,
    pub(crate) time: Duration,
    /// How long one run may take.
    pub(crate) limit: Option<Duration>,
    /// One run only: this one.
    pub(crate) schedule: Option<String>,
}

/// What came of a case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct CheckedCase {
    pub(crate) workload: String,
    pub(crate) size: usize,
    pub(crate) ranks: usize,
    /// With unlimited buffering, without any, and with a few messages kept.
    pub(crate) schedules: [u64; Buffering::ALL.len()],
    /// Runs that were broken off as another one's.
    pub(crate) redundant: [u64; Buffering::ALL.len()],
    pub(crate) exhaustive: bool,
    /// Validation refused the input, or the workload has no such size.
    pub(crate) is_rejected: bool,
    pub(crate) faults: Vec<CheckFault>,
    /// What is not wrong and yet not the same in all orders.
    pub(crate) remarks: Vec<CheckFault>,
    /// Of one run that was run again: what came out.
    pub(crate) output: Option<String>,
}

/// What is wrong in a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct CheckFault {
    pub(crate) findings: Vec<Finding>,
    pub(crate) wrong: Option<String>,
    pub(crate) schedule: String,
    /// A run that comes to something else.
    pub(crate) differing_run: Option<String>,
}

/// A case, or why it could not be tried.
pub(crate) type CheckResult = Result<CheckedCase, String>;

impl CheckSpec {
    /// What came of a case that did not come to an end.
    pub(crate) fn unfinished_case(&self, why: String) -> CheckedCase {
        let WorkloadRequest { name: workload, size } = self.request.clone();
        let fault = CheckFault { wrong: Some(why), ..CheckFault::default() };
        CheckedCase { workload, size, ranks: self.ranks, faults: vec![fault], ..CheckedCase::default() }
    }
}

impl CheckedCase {
    pub(crate) fn with_counts(self, explored: &ExplorationReport) -> Self {
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

    /// How much must a library buffer for it?
    pub(crate) fn buffering(&self) -> Option<Buffering> {
        self.schedule.parse().ok().map(|schedule: Schedule| schedule.buffering)
    }
}
