//! Communication assignments: a verb of one's own beside the library's.
//!
//! A broadcast has no meaningful speed-up over a copy in memory. Such assignments are measured as what they are:
//! latency and bandwidth against the message size, beside the library's own call in the same run, and messages and
//! rounds against the formula.
use wb_comm::{Rank, Result};
use wb_world::World;

/// A collective verb written by a student. Both functions work in place on `data`, of one length on all ranks, and must
/// leave the same elements in it.
#[allow(clippy::missing_errors_doc, reason = "both pass on what the world's verbs meet")]
pub trait Communication: Send + Sync + 'static {
    /// MPI's name of the verb, e.g. `"bcast"`.
    const OPERATION: &'static str;

    /// The name of the student's algorithm for reports, e.g. `"binomial tree"`; the verb's own name when it has none.
    const ALGORITHM: &'static str = Self::OPERATION;

    /// The number of messages as a formula in P for people, e.g. `"P - 1"`.
    const MESSAGES: &'static str;

    /// The number of one-port rounds as a formula in P for people, e.g. `"ceil(log2 P)"`.
    const ROUNDS: &'static str;

    /// The student's own.
    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()>;

    /// The library's.
    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()>;

    /// [`MESSAGES`](Self::MESSAGES) as a number: point-to-point messages of all ranks together.
    fn messages(&self, ranks: usize) -> u64;

    /// [`ROUNDS`](Self::ROUNDS) as a number.
    fn rounds(&self, ranks: usize) -> u64;
}
