//! The time of a series on a simulated machine.
use serde::{Deserialize, Serialize};

use crate::fields::{ANY, fields, plain};
use crate::{Series, Traffic};

/// The cost of computing in virtual time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ComputingCost {
    /// What the task declares, on the model's core: the same everywhere.
    #[default]
    Declared,
    /// The time that it took on the simulating computer: different in each run.
    Measured,
}

impl ComputingCost {
    /// `declared` or `measured`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Declared => "declared",
            Self::Measured => "measured",
        }
    }
}

/// One pass of a series in virtual time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// The series.
    pub series: Series,
    /// The model's name, for example `cluster-ib`.
    pub machine: String,
    /// The injected faults, as they were requested: `slow:3:2.0`.
    #[serde(default)]
    pub faults: Vec<String>,
    /// The cost of computing.
    #[serde(default)]
    pub computing: ComputingCost,
    /// The time from the first rank's start to the last rank's end, nanoseconds of virtual time.
    pub elapsed_ns: u64,
    /// The computing time of all ranks together, declared or measured, nanoseconds of virtual time.
    pub worked_ns: u64,
    /// The computing time of the rank that computes longest.
    pub worked_max_ns: u64,
    /// The traffic in that time.
    pub traffic: Traffic,
    /// The verdict of the oracle; `None` if no rank had an output to judge.
    pub correct: Option<bool>,
}

fields! {
    // A model may predict any time: a time beyond the end of the clock is its end.
    Prediction { series, machine, faults, computing, elapsed_ns: ANY, worked_ns: ANY, worked_max_ns: ANY, traffic, correct }
}
plain! { ComputingCost }
