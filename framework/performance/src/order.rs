//! The order of a worker process of a benchmark.
use std::process::ExitCode;

use serde::{Deserialize, Serialize};
use wb_runner::{Backends, job::execute_order};

use crate::{
    checked::{self, case::CheckSpec},
    job_spec::JobSpec,
    job_worker,
    program::BenchmarkProgram,
    simulated::{self, spec::SimulationSpec},
};

/// One order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum WorkerOrder {
    /// Measure, count or trace.
    Measure(JobSpec),
    /// Make one pass in virtual time.
    Simulate(SimulationSpec),
    /// Try the orders of one small input.
    Check(CheckSpec),
}

/// Executes the order of this process, if it has a runner.
pub(crate) fn execute(backends: Backends, program: &BenchmarkProgram) -> Option<ExitCode> {
    execute_order(|order, link| match order {
        WorkerOrder::Measure(spec) => job_worker::run(spec, &link.answers(), backends, program),
        WorkerOrder::Simulate(spec) => simulated::worker::run(&spec, link.answers(), backends, program),
        WorkerOrder::Check(spec) => checked::worker::run(&spec, link.answers(), backends, program),
    })
}
