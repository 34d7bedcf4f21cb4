//! One job: its order and the answers of its ranks, its deadline, its findings, and the hosts that are lost with it.
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wb_messages::{Lang, number, performance as text};
use wb_record::{
    Backend, ClockInfo, ElapsedFrom, HostPlacement, MeasuredWorkload, RankTrace, Sentinel, Series,
    SeriesFailure, Sweep, TimedRegion, Timing, Version,
};
use wb_runner::{
    Backends, LossScope, RankEnd, clock,
    job::{self, JobRequest, hosts_of_ranks, run_job},
};

use crate::{checked::CheckSpec, schedule::ForcedAlgorithm, simulated::SimulationSpec};

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

/// One job: one process alone or one launcher's ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct JobSpec {
    /// The version of the task.
    pub(crate) version: Version,
    /// The backend that carries the messages.
    pub(crate) backend: Backend,
    /// The requested number of ranks.
    pub(crate) ranks: usize,
    /// The number of the launch.
    pub(crate) launch: u32,
    /// Seed of the inputs and of the order of repetitions: the same for all versions of one launch.
    pub(crate) seed: u64,
    /// Whether waiting ranks spin until a common start. They do not when they share cores.
    pub(crate) spins: bool,
    /// The limit of one pass through the stages.
    pub(crate) limit: Option<Duration>,
    /// The measurement.
    pub(crate) work: JobWork,
    /// The rules that decide when a series is sampled enough.
    pub(crate) sampling: SamplingPolicy,
}

/// The measurement of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum JobWork {
    /// The version on these workloads, `run` alone and all stages, and the machine's ceiling.
    Series(Vec<WorkloadRequest>),
    /// The own verb of the assignment and the library's, at these numbers of elements.
    Sweep(Vec<usize>),
    /// Rounds of the own verb of the assignment, at these numbers of elements.
    Count(Vec<usize>),
    /// The calls of every rank in one pass on this workload.
    Trace(WorkloadRequest),
}

/// A workload by name and size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WorkloadRequest {
    pub(crate) name: String,
    /// The size of the input in the problem's unit.
    pub(crate) size: usize,
}

impl WorkloadRequest {
    /// The workload as recorded.
    pub(crate) fn measured(&self) -> MeasuredWorkload {
        MeasuredWorkload { name: self.name.clone(), size: self.size as u64, unit: String::new() }
    }

    /// The key of a series.
    pub(crate) fn series(&self, version: Version, mode: TimedRegion, ranks: usize) -> Series {
        Series { workload: self.measured(), version, mode, ranks: ranks as u32 }
    }
}

/// The rules that decide when a series is sampled enough within one launch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SamplingPolicy {
    /// The least number of repetitions after the warm-up (if the budget suffices).
    pub(crate) min_repetitions: usize,
    /// The largest number of repetitions after the warm-up.
    pub(crate) max_repetitions: usize,
    /// Half the width of the interval over the median at which sampling stops.
    pub(crate) target: f64,
    /// Wall time for one series.
    pub(crate) budget: Duration,
    /// Samples of the communication-free kernel.
    pub(crate) ceiling: usize,
}

pub(crate) type RankAnswer = job::RankAnswer<RankResult>;

/// The end of a rank; one that failed names its workload.
pub(crate) type RankResult = RankEnd<Box<RankReport>, String>;

/// The report of a rank that succeeded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RankReport {
    /// The same on every rank.
    pub(crate) findings: Findings,
    /// The objection of an oracle on this rank to a wrong output.
    pub(crate) oracle_error: Option<String>,
    /// The calls of the rank, if they were requested.
    pub(crate) trace: Option<RankTrace>,
}

/// The results of a job over all its ranks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Findings {
    /// The clock and the barrier.
    pub(crate) clock: ClockInfo,
    /// The hosts of the ranks; added from the answers of all ranks.
    pub(crate) placement: Vec<HostPlacement>,
    /// The thread level that an MPI library granted.
    pub(crate) thread_level: Option<String>,
    /// The kernel's times before and after the measurement, if it ran.
    pub(crate) sentinel: Option<Sentinel>,
    /// The ceiling kernel's times.
    pub(crate) ceiling: Vec<u64>,
    /// The clocks from which the ceiling times were computed.
    pub(crate) ceiling_from: ElapsedFrom,
    pub(crate) series: Vec<MeasuredSeries>,
    /// The sweep's sizes, without what is not measured.
    pub(crate) sweep: Vec<Sweep>,
    /// The counts, one for each size.
    pub(crate) counts: Vec<CountedRounds>,
}

/// One series of one launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MeasuredSeries {
    /// As recorded, without the sentinel.
    pub(crate) timing: Timing,
    /// Whether an output of any repetition was wrong, including the warm-up.
    pub(crate) is_wrong: bool,
    /// The wall time of this series.
    pub(crate) spent: Duration,
}

/// The one-port rounds of one call at a number of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CountedRounds {
    /// Elements.
    pub(crate) count: usize,
    pub(crate) rounds: u64,
}

impl Findings {
    /// The results of a job that has measured nothing yet.
    pub(crate) fn empty() -> Self {
        Self { clock: ClockInfo::shared(clock::NAME, clock::resolution() as f64, None), ..Self::default() }
    }
}

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

/// Executes a job of a campaign, where one is asked for with this algorithm of the library's verb, and examines its evidence.
pub(crate) type ExecuteJob<'a> =
    &'a dyn Fn(&JobSpec, Option<ForcedAlgorithm>) -> Result<JobResult, JobFailure>;

/// Runs the job that executes `order` with this program's own ranks, at most until its deadline, and examines its answers.
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
    /// The number of jobs that were not started.
    pub(crate) not_run: usize,
}

impl LostHosts {
    /// Notes how a job failed.
    pub(crate) fn add(&mut self, failure: JobFailure) {
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
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

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
        lost.add(JobFailure::new("one rank"));
        assert_eq!(lost.failure_of(Backend::Mpi), None);
        let failure = JobFailure { scope: LossScope::Hosts, ..JobFailure::new("wb2") };
        lost.add(failure.clone());
        assert_eq!(lost.failure_of(Backend::Threads), None);
        assert_eq!((lost.failure_of(Backend::Mpi), lost.not_run), (Some(failure), 1));
    }

    pub(crate) fn job_spec() -> JobSpec {
        JobSpec {
            version: Version::Mpi,
            backend: Backend::Threads,
            ranks: 2,
            launch: 0,
            seed: 7,
            spins: true,
            limit: Some(Duration::from_secs(10)),
            work: JobWork::Series(vec![WorkloadRequest { name: "small".into(), size: 10 }]),
            sampling: SamplingPolicy {
                min_repetitions: 4,
                max_repetitions: 20,
                target: 0.05,
                budget: Duration::from_millis(300),
                ceiling: 3,
            },
        }
    }

    pub(crate) fn answer(rank: usize, size: usize) -> RankAnswer {
        let report = RankReport { findings: Findings::empty(), oracle_error: None, trace: None };
        RankAnswer::new(rank, size, RankResult::Done(Box::new(report)))
    }
}
