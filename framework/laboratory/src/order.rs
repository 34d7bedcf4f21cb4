//! The order of a worker process of the laboratory.
use serde::{Deserialize, Serialize};

use crate::job_spec::BarrierJobSpec;

/// One order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum LaboratoryOrder {
    /// Visit the forms of a job.
    Visit(BarrierJobSpec),
    /// Measure messages between two processes, and collective operations of all.
    Calibrate(CalibrationSpec),
}

/// Processes that measure messages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CalibrationSpec {
    /// The number of ranks.
    pub(crate) ranks: usize,
    /// The processors that the ranks may use; empty where the ranks are placed on hosts: then each reads those of its host.
    pub(crate) cpus: Vec<usize>,
    /// Batches of each program.
    pub(crate) batches: usize,
}
