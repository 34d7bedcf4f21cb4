//! What a simulation says a series would take on a machine that may not be there.
use serde::{Deserialize, Serialize};

use crate::{Series, Traffic};

/// One pass of a series in virtual time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// What ran.
    pub series: Series,
    /// The model's name, for example `cluster-ib`.
    pub machine: String,
    /// What went wrong on purpose, each as it was asked for: `slow:3:2.0`.
    #[serde(default)]
    pub faults: Vec<String>,
    /// From the first rank's start to the last rank's end, nanoseconds of virtual time.
    pub elapsed_ns: u64,
    /// What the ranks declared to compute in that time, all together, nanoseconds of virtual time.
    pub worked_ns: u64,
    /// The same of the rank that computes longest.
    pub worked_max_ns: u64,
    /// What was sent in that time.
    pub traffic: Traffic,
    /// What the oracle said; `None` if no rank had an output to judge.
    pub correct: Option<bool>,
}
