//! The jobs that a campaign does not start because their hosts are lost.
use wb_messages::{Lang, hosts as text};
use wb_record::Backend;
use wb_runner::LossScope;

use crate::{display::ProgressDisplay, job::JobFailure};

/// The loss of hosts, once a job has shown it.
#[derive(Debug, Default)]
pub(crate) struct LostHosts {
    failure: Option<JobFailure>,
    /// The number of jobs that were not started.
    not_run: usize,
}

impl LostHosts {
    /// Notes how a job failed.
    pub(crate) fn learn(&mut self, failure: JobFailure) {
        if failure.scope == LossScope::Hosts {
            self.failure = Some(failure);
        }
    }

    /// The failure of a job that need not be started: its ranks would be on hosts that are lost.
    pub(crate) fn failure_of(&mut self, backend: Backend) -> Option<JobFailure> {
        let failure = self.failure.clone().filter(|_| backend == Backend::Mpi)?;
        self.not_run += 1;
        Some(failure)
    }

    /// Says how many jobs were not started.
    pub(crate) fn report(&self, display: &mut ProgressDisplay, lang: Lang) {
        if self.not_run > 0 {
            display.print_line(&text::jobs_not_run(lang, self.not_run));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_the_loss_of_hosts_only_ranks_on_one_host_are_started() {
        let mut lost = LostHosts::default();
        lost.learn(JobFailure::new("one rank"));
        assert_eq!(lost.failure_of(Backend::Mpi), None);
        let failure = JobFailure { scope: LossScope::Hosts, ..JobFailure::new("wb2") };
        lost.learn(failure.clone());
        assert_eq!(lost.failure_of(Backend::Threads), None);
        assert_eq!((lost.failure_of(Backend::Mpi), lost.not_run), (Some(failure), 1));
    }
}
