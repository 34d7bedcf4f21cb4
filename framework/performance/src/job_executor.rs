//! Who executes the jobs of a campaign.
use wb_record::Provenance;
use wb_runner::Backends;

use crate::{
    forced::ForcedAlgorithm,
    job::{self, JobFailure, JobResult},
    job_spec::JobSpec,
};

/// Executes the jobs of a campaign.
pub(crate) trait JobExecutor {
    /// Executes one job, and examines its evidence.
    fn run(&self, order: &JobSpec, forced: Option<ForcedAlgorithm>) -> Result<JobResult, JobFailure>;

    /// The provenance of its records.
    fn provenance(&self) -> Option<Provenance> {
        None
    }
}

/// This program itself, started again as the ranks of a job.
pub(crate) struct OwnWorkers(pub(crate) Backends);

impl JobExecutor for OwnWorkers {
    fn run(&self, order: &JobSpec, forced: Option<ForcedAlgorithm>) -> Result<JobResult, JobFailure> {
        job::run(order, self.0, forced)
    }
}
