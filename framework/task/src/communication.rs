//! Communication assignments: a verb of one's own beside the library's.
//!
//! A broadcast has no meaningful speed-up over a copy in memory. Such assignments are measured as what they are:
//! latency and bandwidth against the message size, beside the library's own call in the same run, and messages and
//! rounds against the formula.
use wb_comm::{Rank, Result};
use wb_world::World;

/// A collective verb written by a student, beside the library's. Both functions work in place on `data`, which has the
/// same length on all ranks and other elements on each, and both must leave the same elements on each rank: that is how
/// an answer is judged. Any verb fits that moves or combines data:
///
/// | verb | what is in `data` before | and afterwards |
/// |---|---|---|
/// | broadcast | the root's is sent | the root's, everywhere |
/// | scatter | the root's has `len / size` elements for each rank | this rank's at its beginning, the rest as before |
/// | gather | each rank's first `len / size` elements are sent | all of them, on the root |
/// | reduce | each rank's is an operand | the result, on the root; elsewhere as before |
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

    /// The student's own. Sums may be rounded otherwise than the library's.
    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()>;

    /// The library's.
    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()>;

    /// [`MESSAGES`](Self::MESSAGES) as a number: point-to-point messages of all ranks together.
    fn messages(&self, ranks: usize) -> u64;

    /// [`ROUNDS`](Self::ROUNDS) as a number.
    fn rounds(&self, ranks: usize) -> u64;
}
