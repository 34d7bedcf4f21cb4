//! Measurements, reduced to what a grade needs.

use serde::{Deserialize, Serialize};
use wb_text::Text;

use crate::task_grade::MeasuredInterval;

/// The measurements of one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum PerformanceEvidence {
    /// A task with a speed-up.
    Scaling(ScalingEvidence),
    /// A communication assignment.
    Communication(CommunicationEvidence),
    /// No number may be stated.
    Missing {
        /// The reason.
        gap: PerformanceGap,
        /// The reason of the failure, where the gap is [`PerformanceGap::Failed`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<Text>,
    },
}

/// The graded row of the measurements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScalingEvidence {
    /// The workload, with its size and unit.
    pub workload: String,
    /// The timed region: `task_run` or `pipeline`.
    pub region: String,
    /// The version with the fastest sequential time: `seq`, `reference` or `mpi`.
    pub base: String,
    /// The speed-up.
    pub speedup: MeasuredInterval,
    /// The efficiency, in per cent.
    pub efficiency: MeasuredInterval,
    /// The speed-up of the whole pipeline, where `run` alone was graded and both were measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pipeline_speedup: Option<MeasuredInterval>,
    /// Whether a confidence interval could be computed; otherwise both ends of the intervals are the estimate.
    pub has_interval: bool,
    /// The reasons why the numbers earn no points.
    pub doubts: Vec<PerformanceDoubt>,
}

/// The comparison with the library's own call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommunicationEvidence {
    /// The library's call.
    pub library_call: String,
    /// The greatest number of ranks.
    pub ranks: u32,
    /// The sizes of messages at which the numbers of messages and rounds were compared with the formula.
    pub counted: u32,
    /// The sizes among them at which the counts are the formula's.
    pub counts_right: u32,
    /// The student's time over the library's, one interval for each size that was compared, in rising order of sizes.
    pub ratios: Vec<MeasuredInterval>,
    /// The reasons why the numbers earn no points.
    pub doubts: Vec<PerformanceDoubt>,
}

/// The reason why there is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PerformanceGap {
    /// Nothing was measured.
    NotMeasured,
    /// The measurement had more ranks than usable cores.
    TooFewCores,
    /// A repetition is too short to be timed.
    TooShort,
    /// Some output was wrong.
    Incorrect,
    /// There is no sequential time.
    NoBase,
    /// There is no parallel time.
    NoTime,
    /// A measured run ended early, or took longer than its limit.
    Failed,
}

/// The reason why numbers earn no points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PerformanceDoubt {
    /// It was measured with `--quick`.
    Quick,
    /// It was not measured on an MPI library.
    NotMpi,
    /// The parallel version was not tested.
    Untested,
    /// One rank does the work.
    SingleWorker,
    /// A version on one rank waits instead of computing.
    Waits,
    /// The speed-up is above what the machine allows.
    AboveCeiling,
    /// The efficiency is above 100 %.
    Superlinear,
    /// The conditions changed between the measurements.
    MixedConditions,
}

impl PerformanceEvidence {
    /// No number, for a reason that needs no other words.
    pub const fn missing(gap: PerformanceGap) -> Self {
        Self::Missing { gap, reason: None }
    }

    /// The number of ranks, if something was measured.
    pub fn ranks(&self) -> Option<u32> {
        match self {
            Self::Scaling(scaling) => Some(scaling.speedup.ranks),
            Self::Communication(communication) => Some(communication.ranks),
            Self::Missing { .. } => None,
        }
    }
}
