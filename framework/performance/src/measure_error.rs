//! The reasons why a workload could not be measured, and the input of a workload.
use wb_comm::{Text, text::stage};
use wb_task::{Failure, Input, Problem, Task, Workload};

use crate::job_spec::WorkloadRequest;

/// The reason why a workload could not be measured.
#[derive(Debug)]
pub(crate) enum MeasureError {
    /// A stage failed.
    Task(Failure),
    /// The harness's own communication failed, usually because another rank failed.
    Communication(wb_comm::Error),
    /// The problem has no such workload.
    NoWorkload(String),
}

impl MeasureError {
    /// The reason as a text value that is rendered where it is shown.
    pub(crate) fn text(&self) -> Text {
        match self {
            Self::Task(failure) => failure.text(),
            Self::Communication(error) => error.text(),
            Self::NoWorkload(name) => stage::no_workload(name),
        }
    }
}

impl From<Failure> for MeasureError {
    fn from(failure: Failure) -> Self {
        Self::Task(failure)
    }
}

impl From<wb_comm::Error> for MeasureError {
    fn from(error: wb_comm::Error) -> Self {
        Self::Communication(error)
    }
}

/// The input of the requested workload for this number of ranks.
pub(crate) fn input<T: Task>(
    request: &WorkloadRequest,
    seed: u64,
    ranks: usize,
) -> Result<Input<T>, MeasureError> {
    let wanted = Workload { name: request.name.clone(), size: request.size, ranks, seed };
    T::Problem::workload(&wanted).ok_or_else(|| MeasureError::NoWorkload(request.name.clone()))
}
