//! What a worker process of a benchmark is asked to do.
use serde::{Deserialize, Serialize};

use crate::{checked::case::CheckSpec, job_spec::JobSpec, simulated::spec::SimulationSpec};

/// One order, as its file contains it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum WorkerOrder {
    /// To measure, count or trace.
    Measure(JobSpec),
    /// To make one pass in virtual time.
    Simulate(SimulationSpec),
    /// To try the orders of one small input.
    Check(CheckSpec),
}
