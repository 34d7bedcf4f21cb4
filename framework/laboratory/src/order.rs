//! What a worker process of the laboratory is asked to do.
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::job_spec::BarrierJobSpec;

/// One order, as its file contains it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum LaboratoryOrder {
    /// To visit the forms of a job.
    Visit(BarrierJobSpec),
    /// To measure messages between two processes.
    Calibrate(CalibrationSpec),
}

/// Two processes that measure messages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CalibrationSpec {
    /// Where the answers go.
    pub(crate) folder: PathBuf,
    /// The processors that the ranks may use.
    pub(crate) cpus: Vec<usize>,
}
