//! The repetitions of one launch: raw times, and what could have disturbed them.

use serde::{Deserialize, Serialize};

use crate::fields::{BYTES, COUNT, NS, POSITIVE, SHARE, fields};
use crate::{ElapsedFrom, Series};

/// One launch of one series: a process (or an mpirun) that repeated the timed region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// The series of the repetitions.
    pub series: Series,
    /// The number of the launch in the series, from 0. Launches differ from each other more than repetitions do, so
    /// intervals resample launches first.
    pub launch: u32,
    /// Whether every repetition had an input of its own: not where the problem gives the same input for every seed. `None` in
    /// a record of a program that gave all repetitions of a launch one input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fresh_inputs: Option<bool>,
    /// Repetitions run before the first one that is listed, and thrown away as warm-up.
    pub warmup_dropped: u32,
    /// The number of executions of the timed region in one repetition; 1 unless it was too short for the clock.
    pub inner_iterations: u64,
    /// The clocks from which the times were computed.
    #[serde(default, skip_serializing_if = "ElapsedFrom::is_common_clock")]
    pub elapsed_from: ElapsedFrom,
    /// The repetitions in the order they ran. Outliers are never deleted.
    pub repetitions: Vec<Repetition>,
    /// Stage times, one entry for every pass through the whole pipeline that this launch made: one a repetition in
    /// `pipeline` mode, usually one in `task_run` mode.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<Stages>,
    /// The traffic of one execution of the timed region, when it was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traffic: Option<Traffic>,
    /// The sentinel kernel before and after this launch, when it was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sentinel: Option<Sentinel>,
}

impl Timing {
    /// The repetitions' times for ONE execution of the timed region, in nanoseconds.
    ///
    /// # Panics
    /// If `inner_iterations` is 0, which no harness may write.
    pub fn samples_ns(&self) -> Vec<f64> {
        assert!(self.inner_iterations > 0, "a timing needs the number of iterations of one repetition");
        self.repetitions.iter().map(|r| r.elapsed_ns as f64 / self.inner_iterations as f64).collect()
    }
}

/// One repetition: `inner_iterations` executions of the timed region between two clock readings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Repetition {
    /// `max(end) - min(start)` over all ranks on one monotonic clock, or as [`Timing::elapsed_from`] says, for all inner
    /// iterations together.
    pub elapsed_ns: u64,
    /// `max(start) - min(start)` over all ranks: how far apart the ranks entered the region.
    pub entry_skew_ns: u64,
    /// Whether the output of this repetition was right, checked outside the timed region; `None` if it was not checked.
    pub correct: Option<bool>,
    /// Involuntary context switches during the repetition, summed over the ranks.
    pub involuntary_switches: u64,
    /// CPU time over wall time of the rank for which that share is the least. Below 0.9 in a computing stage the sample
    /// was disturbed. `None` where it cannot be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_share: Option<f64>,
    /// The time in which the ranks together were ready to run and had no processor, because another program had it. `None` where
    /// the system does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queued_ns: Option<u64>,
}

/// The times of the four stages in one pass through the pipeline, each the maximum over the ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stages {
    /// Validation.
    pub validation_ns: u64,
    /// Preprocessing.
    pub preprocessing_ns: u64,
    /// Run.
    pub run_ns: u64,
    /// Postprocessing.
    pub postprocessing_ns: u64,
}

/// The messages of all ranks together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Messages, or 0 if none was sent.
    pub messages: u64,
    /// Payload bytes of these messages.
    pub bytes: u64,
    /// Messages of the rank that sent most.
    pub messages_max_rank: u64,
    /// Bytes of the rank that sent most bytes.
    pub bytes_max_rank: u64,
}

/// A fixed amount of computation on every rank's core before and after a launch: a machine that slows down in between
/// shows here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sentinel {
    /// Time of the kernel before the launch, by rank.
    pub before_ns: Vec<u64>,
    /// Time of the kernel after the launch, by rank.
    pub after_ns: Vec<u64>,
}

impl Sentinel {
    /// The greatest relative change on any rank: 0.03 when one core became 3 % slower (or faster). `None` without
    /// ranks, or if a time is 0.
    pub fn drift(&self) -> Option<f64> {
        let mut greatest: Option<f64> = None;
        for (&before, &after) in self.before_ns.iter().zip(&self.after_ns) {
            if before == 0 || after == 0 {
                return None;
            }
            let change = (after as f64 / before as f64 - 1.0).abs();
            greatest = Some(greatest.map_or(change, |g| g.max(change)));
        }
        greatest
    }
}

fields! {
    Timing {
        series,
        launch: COUNT,
        warmup_dropped: COUNT,
        inner_iterations: POSITIVE,
        elapsed_from,
        repetitions,
        stages,
        traffic,
        sentinel,
        fresh_inputs,
    }
    Repetition {
        elapsed_ns: NS,
        entry_skew_ns: NS,
        correct,
        involuntary_switches: COUNT,
        cpu_share: SHARE,
        queued_ns: NS,
    }
    Stages { validation_ns: NS, preprocessing_ns: NS, run_ns: NS, postprocessing_ns: NS }
    Traffic { messages: COUNT, bytes: BYTES, messages_max_rank: COUNT, bytes_max_rank: BYTES }
    Sentinel { before_ns: NS, after_ns: NS }
}
