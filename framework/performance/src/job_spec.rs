//! The orders of the worker processes of a benchmark, and the answer of every rank that measures.
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wb_record::{
    Backend, ClockInfo, ElapsedFrom, HostPlacement, MeasuredWorkload, RankTrace, Sentinel, Series, Sweep,
    TimedRegion, Timing, Version,
};
use wb_runner::{RankEnd, clock, job};

use crate::{checked::case::CheckSpec, simulated::SimulationSpec};

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

/// How a rank ended; one that failed names its workload.
pub(crate) type RankResult = RankEnd<Box<RankReport>, String>;

/// What a rank that succeeded reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RankReport {
    /// The same on every rank.
    pub(crate) findings: Findings,
    /// The objection of an oracle on this rank to a wrong output.
    pub(crate) oracle_error: Option<String>,
    /// Its calls, if they were requested.
    pub(crate) trace: Option<RankTrace>,
}

/// The results of a job over all its ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// What they were computed from.
    pub(crate) ceiling_from: ElapsedFrom,
    pub(crate) series: Vec<MeasuredSeries>,
    /// The sweep's sizes, without what is not measured.
    pub(crate) sweep: Vec<Sweep>,
    /// The counts, one for each size.
    pub(crate) counts: Vec<CallCounts>,
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

impl Findings {
    /// Those of a job that has measured nothing yet.
    pub(crate) fn empty() -> Self {
        Self {
            clock: ClockInfo::shared(clock::NAME, clock::resolution() as f64, None),
            placement: vec![],
            thread_level: None,
            sentinel: None,
            ceiling: vec![],
            ceiling_from: ElapsedFrom::CommonClock,
            series: vec![],
            sweep: vec![],
            counts: vec![],
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

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
