//! A series: everything that is measured again and again under the same conditions.

use crate::fields::{COUNT, RANKS, fields, plain};
use serde::{Deserialize, Serialize};

/// The key of a series. Two timings with equal keys may be put in one sample; all others may not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Series {
    /// The input.
    pub workload: MeasuredWorkload,
    /// The program that ran.
    pub version: Version,
    /// The timed region.
    pub mode: TimedRegion,
    /// Ranks that really ran, read from the running job and not from what was asked for. 1 for [`Version::Seq`].
    pub ranks: u32,
}

/// The input of a measurement. Equal workloads are identical inputs (up to the seed) for every version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MeasuredWorkload {
    /// Name of the workload, for example `matrix` or `double-100000`.
    pub name: String,
    /// The size of the input, in `unit`.
    pub size: u64,
    /// The unit of `size`, for example `rows`, `elements`.
    pub unit: String,
}

/// The program that ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Version {
    /// The student's sequential version, alone in its own process.
    Seq,
    /// The instructor's sequential version, alone in its own process.
    Reference,
    /// The student's parallel version, at any number of ranks including one.
    Mpi,
}

/// The timed region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimedRegion {
    /// The stage `run` alone, on prepared data.
    TaskRun,
    /// All four stages, the distribution of the data and the collection of the result included.
    Pipeline,
}

impl TimedRegion {
    /// The name used in records, on command lines and in tables: `task_run` or `pipeline`.
    pub fn name(self) -> &'static str {
        match self {
            Self::TaskRun => "task_run",
            Self::Pipeline => "pipeline",
        }
    }
}

impl Version {
    /// The name used in records, on command lines and in tables: `seq`, `reference` or `mpi`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Seq => "seq",
            Self::Reference => "reference",
            Self::Mpi => "mpi",
        }
    }
}

fields! {
    Series { workload, version, mode, ranks: RANKS }
    MeasuredWorkload { name, size: COUNT, unit }
}
plain! { Version TimedRegion }
