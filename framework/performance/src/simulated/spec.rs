//! The order of a simulation's worker, and its answer.
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wb_record::{ComputingCost, RankTrace, Version};

use crate::{
    job_spec::WorkloadRequest,
    simulated::{mode_totals::ModeTotals, pass::PassMode},
};

/// The simulation of a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SimulationSpec {
    pub(crate) machine: String,
    /// The faults that are injected.
    pub(crate) faults: Vec<String>,
    pub(crate) computing: ComputingCost,
    pub(crate) version: Version,
    pub(crate) ranks: usize,
    pub(crate) request: WorkloadRequest,
    pub(crate) seed: u64,
    pub(crate) limit: Option<Duration>,
    /// The largest number of calls that each rank records; `None` where nothing is traced.
    pub(crate) traced: Option<usize>,
}

impl SimulationSpec {
    /// A pass that only measures the memory of a rank: on this smaller number of ranks, without faults.
    pub(crate) fn with_ranks(&self, ranks: usize) -> Self {
        Self { ranks, faults: vec![], computing: ComputingCost::Declared, ..self.clone() }
    }

    pub(crate) fn pass_mode(&self) -> PassMode {
        match (self.traced, self.computing) {
            (Some(calls), _) => PassMode::Traced(calls),
            (None, ComputingCost::Declared) => PassMode::Declared,
            (None, ComputingCost::Measured) => PassMode::Measured,
        }
    }
}

/// The result of a pass, or the reason of its failure.
pub(crate) type SimulationAnswer = Result<PassResult, String>;

/// The results of one pass of all ranks.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PassResult {
    /// The peak memory of the process of the pass, bytes.
    pub(crate) peak: Option<u64>,
    /// The results in the modes of a series.
    pub(crate) modes: Vec<ModeTotals>,
    /// The calls of each rank, if they were requested.
    pub(crate) traces: Vec<RankTrace>,
}
