//! The order of a worker process of a benchmark.
use serde::{Deserialize, Serialize};

use crate::{checked::case::CheckSpec, job_spec::JobSpec, simulated::spec::SimulationSpec};

/// One order, as its file contains it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum WorkerOrder {
    /// Measure, count or trace.
    Measure(JobSpec),
    /// Make one pass in virtual time.
    Simulate(SimulationSpec),
    /// Try the orders of one small input.
    Check(CheckSpec),
}
