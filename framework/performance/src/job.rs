//! One job: who executes it, its deadline, the findings of its ranks, and the hosts that are lost with it.
use std::time::Duration;

use wb_messages::{Lang, number, performance as text};
use wb_record::{Backend, Provenance, RankTrace, SeriesFailure};
use wb_runner::{
    Backends, LossScope,
    job::{JobRequest, hosts_of_ranks, run_job},
};

use super::{
    forced::ForcedAlgorithm,
    job_spec::{Findings, JobSpec, JobWork, RankAnswer, RankReport, WorkerOrder},
};

/// The time for the start and the end of a job.
const SETUP: Duration = Duration::from_secs(30);

/// Passes of a workload that do not count towards its budget: in place, warm-up and the last one, in both modes, with
/// the checks of their outputs.
const FREE_PASSES: u32 = 8;

/// The deadline of a job whose passes have no limit.
const UNLIMITED: Duration = Duration::from_secs(7 * 24 * 3600);

/// The reason why a job has no findings.
pub(crate) type JobFailure = wb_runner::job::JobFailure<String>;

/// The failure as recorded.
pub(crate) fn recorded(failure: &JobFailure) -> SeriesFailure {
    match failure.limit {
        Some(limit) => SeriesFailure::Limit { limit_s: limit.as_secs_f64() },
        None => SeriesFailure::Crashed { reason: failure.reason.clone() },
    }
}

/// The failure as text for the user.
pub(crate) fn render(failure: &JobFailure, lang: Lang) -> String {
    match (failure.limit, &failure.subject) {
        (Some(limit), Some(workload)) => {
            let limit = number::shortest(lang, limit.as_secs_f64());
            text::limit_is_over(lang, limit, workload, &failure.details)
        }
        _ => failure.details.clone(),
    }
}

/// The findings of the ranks of a job, and the objection of an oracle to an output.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JobResult {
    /// The same on all ranks.
    pub(crate) findings: Findings,
    /// The first objection of an oracle.
    pub(crate) oracle_error: Option<String>,
    /// The calls of each rank, if they were requested.
    pub(crate) traces: Vec<RankTrace>,
}

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
        run(order, self.0, forced)
    }
}

/// Runs the job that executes `order`, at most until its deadline, and examines its answers.
pub(crate) fn run(
    order: &JobSpec,
    backends: Backends,
    forced: Option<ForcedAlgorithm>,
) -> Result<JobResult, JobFailure> {
    let (backend, ranks, limit) = (order.backend, order.ranks, order.limit);
    let request = JobRequest { backends, backend, ranks, limit, deadline: deadline(order) };
    let force = |command: &mut _| forced.into_iter().for_each(|forced| forced.apply(command));
    merge_answers(&run_job(request, &WorkerOrder::Measure(order.clone()), force, |_| {})?)
}

/// The time after which a job is terminated. The worker itself interrupts single passes earlier; this deadline is for a
/// job that hangs between them.
fn deadline(order: &JobSpec) -> Duration {
    let Some(limit) = order.limit else { return UNLIMITED };
    let budget = order.sampling.budget;
    SETUP
        + match &order.work {
            JobWork::Series(requests) => (limit * FREE_PASSES + budget * 2) * requests.len() as u32,
            JobWork::Sweep(counts) => limit + (limit + budget) * counts.len() as u32,
            JobWork::Count(counts) => limit * counts.len() as u32,
            JobWork::Trace(_) => limit * FREE_PASSES,
        }
}

/// The findings, only when every rank found the same on the same machine.
pub(crate) fn merge_answers(answers: &[RankAnswer]) -> Result<JobResult, JobFailure> {
    let reports: Vec<&RankReport> =
        answers.iter().filter_map(|answer| answer.result.findings()).map(|report| &**report).collect();
    let first = reports.first().ok_or_else(|| JobFailure::new("a job without ranks"))?;
    if let Some(other) = reports.iter().position(|report| report.findings != first.findings) {
        let (one, two) = (answers[0].rank, answers[other].rank);
        return Err(JobFailure::new(format!("ranks {one} and {two} did not find the same")));
    }
    let mut findings = first.findings.clone();
    findings.placement = hosts_of_ranks(answers, &mut findings.clock.compared).map_err(JobFailure::new)?;
    let oracle_error = reports.iter().find_map(|report| report.oracle_error.clone());
    let traces = reports.iter().filter_map(|report| report.trace.clone()).collect();
    Ok(JobResult { findings, oracle_error, traces })
}

/// The loss of hosts, once a job has shown it.
#[derive(Debug, Default)]
pub(crate) struct LostHosts {
    failure: Option<JobFailure>,
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

    /// The number of jobs that were not started.
    pub(crate) fn not_run(&self) -> usize {
        self.not_run
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job_spec::{RankResult, tests::answer};

    #[test]
    fn two_machines_and_two_findings_are_refused() {
        assert!(merge_answers(&[answer(0, 2), answer(1, 2)]).is_ok());
        let elsewhere = RankAnswer { machine: "another".into(), ..answer(1, 2) };
        let refused = merge_answers(&[answer(0, 2), elsewhere]).expect_err("two machines");
        assert!(refused.details.contains("different machines"), "{refused:?}");
        let mut other = answer(1, 2);
        if let RankResult::Done(report) = &mut other.result {
            report.findings.ceiling.push(1);
        }
        let refused = merge_answers(&[answer(0, 2), other]).expect_err("two findings");
        assert_eq!(refused.reason, "ranks 0 and 1 did not find the same");
    }

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
