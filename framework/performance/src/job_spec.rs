//! What the orchestrator asks of a worker process, and what every rank of it must answer.
use std::{path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};
use wb_record::{Backend, ClockInfo, RankTrace, Repetition, Stages, TimedRegion, Traffic, Version};
/// One job: one process alone or one launcher's ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct JobSpec {
    /// Where the answers go.
    pub(crate) folder: PathBuf,
    /// Which version of the task.
    pub(crate) version: Version,
    /// What carries the messages.
    pub(crate) backend: Backend,
    /// How many ranks are asked for.
    pub(crate) ranks: usize,
    /// Seed of the inputs and of the order of repetitions: the same for all versions of one launch.
    pub(crate) seed: u64,
    /// Do waiting ranks spin until a common start? Not when they share cores.
    pub(crate) spins: bool,
    /// The limit of one pass through the stages.
    pub(crate) limit: Option<Duration>,
    /// What is measured.
    pub(crate) work: JobWork,
    /// When a series is sampled enough.
    pub(crate) sampling: SamplingPolicy,
}

/// What a job measures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum JobWork {
    /// The version on these workloads, `run` alone and all stages, and the machine's ceiling.
    Series(Vec<WorkloadRequest>),
    /// The assignment's own verb beside the library's, at these numbers of elements.
    Sweep(Vec<usize>),
    /// Messages and rounds of the assignment's own verb, at these numbers of elements.
    Count(Vec<usize>),
    /// What every rank calls in one pass on this workload.
    Trace(WorkloadRequest),
}

/// A workload by name and size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WorkloadRequest {
    /// Its name.
    pub(crate) name: String,
    /// Its size in the problem's unit.
    pub(crate) size: usize,
}

/// When a series is sampled enough within one launch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SamplingPolicy {
    /// Repetitions after the warm-up, at least (if the budget allows).
    pub(crate) min_repetitions: usize,
    /// Repetitions after the warm-up, at most.
    pub(crate) max_repetitions: usize,
    /// Half the width of the interval over the median at which sampling stops.
    pub(crate) target: f64,
    /// Wall time for one series.
    pub(crate) budget: Duration,
    /// Samples of the communication-free kernel.
    pub(crate) ceiling: usize,
}

/// What one rank answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RankAnswer {
    /// Its rank.
    pub(crate) rank: usize,
    /// How many ranks it sees.
    pub(crate) size: usize,
    /// The kernel it runs on, so that ranks of two machines are not timed by one clock.
    pub(crate) machine: String,
    /// What an oracle on this rank said of a wrong output.
    pub(crate) oracle_error: Option<String>,
    /// What it called, if that was asked for.
    pub(crate) trace: Option<RankTrace>,
    /// How it ended.
    pub(crate) result: RankResult,
}

/// How a rank ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum RankResult {
    /// It went through; every rank has the same findings.
    Done(Findings),
    /// It did not, in the named workload if it had come that far.
    Failed {
        /// The workload it was in.
        workload: Option<String>,
        /// Why.
        reason: StopReason,
    },
}

/// Why a rank stopped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum StopReason {
    /// The limit of one pass through the stages is over; the text says where the rank stood.
    TimeLimit(String),
    /// A rank ran out of memory; the text says which, for how much it asked, and where.
    OutOfMemory(String),
    /// Anything else.
    Error(String),
}

/// What a job found, over all its ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Findings {
    /// Clock and barrier.
    pub(crate) clock: ClockInfo,
    /// The thread level that an MPI library granted.
    pub(crate) thread_level: Option<String>,
    /// The kernel's times before, by rank.
    pub(crate) sentinel_before: Vec<u64>,
    /// The kernel's times after, by rank.
    pub(crate) sentinel_after: Vec<u64>,
    /// The ceiling kernel's times.
    pub(crate) ceiling: Vec<u64>,
    /// The series.
    pub(crate) series: Vec<MeasuredSeries>,
    /// The sweep's sizes.
    pub(crate) sweep: Vec<SweepPoint>,
    /// The counts, one a size.
    pub(crate) counts: Vec<CallCounts>,
}

/// One series of one launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MeasuredSeries {
    /// The workload.
    pub(crate) request: WorkloadRequest,
    /// What was timed.
    pub(crate) mode: TimedRegion,
    /// Whether the inputs of its repetitions differed.
    pub(crate) fresh_inputs: bool,
    /// Repetitions thrown away as warm-up.
    pub(crate) warmup_dropped: usize,
    /// Any output of any repetition was wrong, warm-up included.
    pub(crate) is_wrong: bool,
    /// The repetitions.
    pub(crate) repetitions: Vec<Repetition>,
    /// One entry a pass through the whole pipeline.
    pub(crate) stages: Vec<Stages>,
    /// What one execution sent.
    pub(crate) traffic: Traffic,
    /// Wall time this series took.
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
    /// The library's.
    pub(crate) library: Vec<u64>,
    /// Messages of one call of the own verb, over all ranks.
    pub(crate) messages: u64,
    /// Every element was right on every rank after every sample.
    pub(crate) correct: bool,
    /// No rank sent or received a byte.
    pub(crate) moves_nothing: bool,
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

impl wb_worker::job::RankAnswer for RankAnswer {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn machine(&self) -> &str {
        &self.machine
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::path::Path;

    use wb_worker::protocol;

    use super::*;
    use crate::order::WorkerOrder;

    pub(crate) fn job_spec(folder: &Path) -> JobSpec {
        JobSpec {
            folder: folder.to_owned(),
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
            clock: ClockInfo { name: "CLOCK_MONOTONIC".into(), resolution_ns: 21.0, barrier_ns: Some(412.5) },
            thread_level: None,
            sentinel_before: vec![1_000_000; size],
            sentinel_after: vec![1_010_000; size],
            ceiling: vec![10, 11, 12],
            series: vec![],
            sweep: vec![],
            counts: vec![CallCounts { count: 1, messages: 1, rounds: 1 }],
        };
        RankAnswer {
            rank,
            size,
            machine: "this".into(),
            oracle_error: None,
            trace: None,
            result: RankResult::Done(findings),
        }
    }

    #[test]
    fn orders_and_answers_survive_their_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let order = job_spec(folder.path());
        let mut command = std::process::Command::new("worker");
        protocol::give_order(&mut command, folder.path(), &WorkerOrder::Measure(order.clone()))
            .expect("written");
        let (_, path) = command.get_envs().next().expect("the order is in the environment");
        let read = protocol::read_order(Path::new(path.expect("it is set"))).expect("read");
        assert!(matches!(read, WorkerOrder::Measure(read) if read == order));
        let answer = answer(1, 2);
        protocol::write_answer(folder.path(), 1, &answer).expect("written");
        assert_eq!(protocol::read_answer(folder.path(), 1).expect("read"), Some(answer));
        assert_eq!(protocol::read_answer::<RankAnswer>(folder.path(), 0).expect("looked for"), None);
    }
}
