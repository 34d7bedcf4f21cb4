//! What a simulation asks of its worker, and what the worker answers.
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wb_record::{ComputingCost, RankTrace, Version};

use crate::{
    job_spec::WorkloadRequest,
    simulated::{mode_totals::ModeTotals, pass::PassMode},
};

/// What a worker is to simulate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SimulationSpec {
    pub(crate) machine: String,
    /// What goes wrong on purpose.
    pub(crate) faults: Vec<String>,
    pub(crate) computing: ComputingCost,
    pub(crate) version: Version,
    pub(crate) ranks: usize,
    pub(crate) request: WorkloadRequest,
    pub(crate) seed: u64,
    pub(crate) limit: Option<Duration>,
    /// How many calls each rank may write down; `None` where nothing is traced.
    pub(crate) traced: Option<usize>,
}

impl SimulationSpec {
    /// A pass that only shows what a rank adds to the memory: on so few ranks, with nothing going wrong.
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

/// What came of it; or why nothing did.
pub(crate) type SimulationAnswer = Result<PassResult, String>;

/// Everything that one pass of all ranks leaves.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PassResult {
    /// The most memory that the process of the pass has had, bytes.
    pub(crate) peak: Option<u64>,
    /// In the modes of a series.
    pub(crate) modes: Vec<ModeTotals>,
    /// What each rank called, if that was asked for.
    pub(crate) traces: Vec<RankTrace>,
}
