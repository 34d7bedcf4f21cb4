//! The order of a worker process, and the answer of every rank of it.
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wb_record::{
    Backend, ClockInfo, ElapsedFrom, HostPlacement, RankTrace, Repetition, Stages, TimedRegion, Traffic,
    Version,
};
use wb_runner::{RankEnd, StopReason, job};

/// One job: one process alone or one launcher's ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct JobSpec {
    /// The version of the task.
    pub(crate) version: Version,
    /// The backend that carries the messages.
    pub(crate) backend: Backend,
    /// The requested number of ranks.
    pub(crate) ranks: usize,
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
    /// Messages and rounds of the own verb of the assignment, at these numbers of elements.
    Count(Vec<usize>),
    /// The calls of every rank in one pass on this workload.
    Trace(WorkloadRequest),
}

/// A workload by name and size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WorkloadRequest {
    pub(crate) name: String,
    /// Its size in the problem's unit.
    pub(crate) size: usize,
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

pub(crate) type RankAnswer = job::RankAnswer<RankReport>;

/// What one rank reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RankReport {
    /// The objection of an oracle on this rank to a wrong output.
    pub(crate) oracle_error: Option<String>,
    /// Its calls, if they were requested.
    pub(crate) trace: Option<RankTrace>,
    /// How it ended.
    pub(crate) end: RankResult,
}

/// How a rank ended: every rank that succeeded has the same findings; one that failed names its workload.
pub(crate) type RankResult = RankEnd<Box<Findings>, String>;

/// The results of a job over all its ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Findings {
    /// The clock and the barrier.
    pub(crate) clock: ClockInfo,
    /// The hosts of the ranks; added from the answers of all ranks.
    pub(crate) placement: Vec<HostPlacement>,
    /// The thread level that an MPI library granted.
    pub(crate) thread_level: Option<String>,
    /// The kernel's times before the measurement, by rank.
    pub(crate) sentinel_before: Vec<u64>,
    /// The kernel's times after the measurement, by rank.
    pub(crate) sentinel_after: Vec<u64>,
    /// The ceiling kernel's times.
    pub(crate) ceiling: Vec<u64>,
    /// What they were computed from.
    pub(crate) ceiling_from: ElapsedFrom,
    pub(crate) series: Vec<MeasuredSeries>,
    /// The sweep's sizes.
    pub(crate) sweep: Vec<SweepPoint>,
    /// The counts, one for each size.
    pub(crate) counts: Vec<CallCounts>,
}

/// One series of one launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MeasuredSeries {
    pub(crate) request: WorkloadRequest,
    pub(crate) mode: TimedRegion,
    /// Whether the inputs of its repetitions differed.
    pub(crate) fresh_inputs: bool,
    /// The number of repetitions discarded as warm-up.
    pub(crate) warmup_dropped: usize,
    /// Whether an output of any repetition was wrong, including the warm-up.
    pub(crate) is_wrong: bool,
    /// What the times were computed from.
    pub(crate) elapsed_from: ElapsedFrom,
    pub(crate) repetitions: Vec<Repetition>,
    /// One entry for each pass through the whole pipeline.
    pub(crate) stages: Vec<Stages>,
    /// The traffic of one execution.
    pub(crate) traffic: Traffic,
    /// The wall time of this series.
    pub(crate) spent: Duration,
}

/// One size of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SweepPoint {
    /// Elements.
    pub(crate) count: usize,
    /// Calls in one sample.
    pub(crate) inner: usize,
    /// The assignment's own verb.
    pub(crate) own: Vec<u64>,
    /// The library's verb.
    pub(crate) library: Vec<u64>,
    /// What the times were computed from.
    pub(crate) elapsed_from: ElapsedFrom,
    /// Messages of one call of the own verb, over all ranks.
    pub(crate) messages: u64,
    /// Whether every element was right on every rank after every sample.
    pub(crate) correct: bool,
    /// Whether no rank sent or received a byte.
    pub(crate) moves_nothing: bool,
}

impl SweepPoint {
    /// A size without samples.
    pub(crate) fn new(count: usize, inner: usize) -> Self {
        Self {
            count,
            inner,
            own: vec![],
            library: vec![],
            elapsed_from: ElapsedFrom::CommonClock,
            messages: 0,
            correct: true,
            moves_nothing: false,
        }
    }
}

/// The counts of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CallCounts {
    /// Elements.
    pub(crate) count: usize,
    /// Messages of all ranks.
    pub(crate) messages: u64,
    /// One-port rounds.
    pub(crate) rounds: u64,
}

impl From<RankResult> for RankReport {
    fn from(end: RankResult) -> Self {
        Self { oracle_error: None, trace: None, end }
    }
}

impl wb_runner::RankResult for RankReport {
    type Subject = String;

    fn failed(workload: Option<String>, reason: StopReason) -> Self {
        RankResult::Failed { subject: workload, reason }.into()
    }

    fn failure(&self) -> Option<(Option<&String>, &StopReason)> {
        self.end.failure()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use wb_runner::channel::frame;

    use super::*;
    use crate::order::WorkerOrder;

    pub(crate) fn job_spec() -> JobSpec {
        JobSpec {
            version: Version::Mpi,
            backend: Backend::Threads,
            ranks: 2,
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
        let findings = Findings {
            clock: ClockInfo::shared("CLOCK_MONOTONIC", 21.0, Some(412.5)),
            placement: vec![],
            thread_level: None,
            sentinel_before: vec![1_000_000; size],
            sentinel_after: vec![1_010_000; size],
            ceiling: vec![10, 11, 12],
            ceiling_from: ElapsedFrom::CommonClock,
            series: vec![],
            sweep: vec![],
            counts: vec![CallCounts { count: 1, messages: 1, rounds: 1 }],
        };
        RankAnswer::new(rank, size, RankResult::Done(Box::new(findings)).into())
    }

    #[test]
    fn orders_and_answers_survive_the_channel() {
        let order = job_spec();
        let sent = frame::encode(&WorkerOrder::Measure(order.clone())).expect("bytes");
        assert!(matches!(frame::decode(&sent).expect("read"), WorkerOrder::Measure(read) if read == order));
        let answer = answer(1, 2);
        let sent = frame::encode(&answer).expect("bytes");
        assert_eq!(frame::decode::<RankAnswer>(&sent).expect("read"), answer);
    }
}
