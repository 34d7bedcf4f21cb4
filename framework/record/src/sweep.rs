//! One size of a communication assignment: the student's operation beside the library's own, in the same run.

use crate::ElapsedFrom;
use crate::fields::{BYTES, COUNT, NS, POSITIVE, RANK, RANKS, fields};
use serde::{Deserialize, Serialize};

/// One operation at one message size, student and library interleaved in one launch.
///
/// A broadcast has no meaningful speed-up over a copy in memory, so these records never become one: they are shown as
/// latency and bandwidth against size, beside the library.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    /// The operation, for example `bcast`.
    pub operation: String,
    /// Ranks that really ran.
    pub ranks: u32,
    /// The root.
    pub root: u32,
    /// The element type, for example `f64`.
    pub element: String,
    /// Elements in the message.
    pub count: u64,
    /// Payload bytes of the message: `count` times the size of an element.
    pub bytes: u64,
    /// The number of the launch, from 0.
    pub launch: u32,
    /// Calls inside one sample, the same for both.
    pub inner_iterations: u64,
    /// The clocks from which the times were computed.
    #[serde(default, skip_serializing_if = "ElapsedFrom::is_common_clock")]
    pub elapsed_from: ElapsedFrom,
    /// Times of the student's operation: each the maximum over the ranks, for all inner iterations together.
    pub student_ns: Vec<u64>,
    /// Times of the library's operation, taken alternately with the student's.
    pub library_ns: Vec<u64>,
    /// The library's operation, for example `MPI_Bcast`.
    pub library_call: String,
    /// The algorithm that the library was forced to use; `None` if the library chose it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library_algorithm: Option<String>,
    /// Messages the student's operation sent in one call, counted over all ranks.
    pub messages: u64,
    /// Rounds of the student's operation: the longest chain of messages each of which waited for the one before;
    /// `None` if it was not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// The theory of the assignment's algorithm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<Formula>,
    /// Whether every checked output was right, on every rank.
    pub correct: bool,
    /// Whether the student's operation moved no byte at this size, as a scatter of fewer elements than ranks does: its times
    /// are not compared then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub moves_nothing: bool,
}

impl Sweep {
    /// The student's samples for ONE call, in nanoseconds.
    ///
    /// # Panics
    /// If `inner_iterations` is 0, which no harness may write.
    pub fn student_samples_ns(&self) -> Vec<f64> {
        self.per_call(&self.student_ns)
    }

    /// The library's samples for ONE call, in nanoseconds.
    ///
    /// # Panics
    /// If `inner_iterations` is 0, which no harness may write.
    pub fn library_samples_ns(&self) -> Vec<f64> {
        self.per_call(&self.library_ns)
    }

    fn per_call(&self, samples: &[u64]) -> Vec<f64> {
        assert!(self.inner_iterations > 0, "a sweep needs the number of calls of one sample");
        samples.iter().map(|&ns| ns as f64 / self.inner_iterations as f64).collect()
    }
}

/// The theory of an algorithm for the ranks of the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Formula {
    /// The algorithm, for example `binomial tree`.
    pub algorithm: String,
    /// Messages expected.
    pub messages: u64,
    /// The formula of the messages, for example `P - 1`.
    pub messages_formula: String,
    /// Rounds expected.
    pub rounds: u64,
    /// The formula of the rounds, for example `ceil(log2 P)`.
    pub rounds_formula: String,
}

fields! {
    Sweep {
        operation,
        ranks: RANKS,
        root: RANK,
        element,
        count: COUNT,
        bytes: BYTES,
        launch: COUNT,
        inner_iterations: POSITIVE,
        elapsed_from,
        student_ns: NS,
        library_ns: NS,
        library_call,
        library_algorithm,
        messages: COUNT,
        rounds: COUNT,
        formula,
        correct,
        moves_nothing,
    }
    Formula { algorithm, messages: COUNT, messages_formula, rounds: COUNT, rounds_formula }
}
