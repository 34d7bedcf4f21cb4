//! Communication assignments: a student's collective verb, measured against the library's.
//!
//! A broadcast has no meaningful speed-up over a copy in memory. Such assignments are measured by latency and bandwidth
//! as a function of the message size, in the same run as the library's call, and their messages and rounds are compared
//! with the formula.
use wb_comm::{Rank, Result};
use wb_world::World;

/// A collective verb written by a student, and the library's. Both functions work in place on `data`, which has the
/// same length on all ranks and different elements on each. Both must leave the same elements on each rank; the check
/// compares them. The trait fits any verb that moves or combines data:
///
/// | verb | what is in `data` before | and afterwards |
/// |---|---|---|
/// | broadcast | the root's is sent | the root's, everywhere |
/// | scatter | the root's has `len / size` elements for each rank | this rank's at its beginning, the rest unchanged |
/// | gather | each rank's first `len / size` elements are sent | all of them, on the root |
/// | reduce | each rank's is an operand | the result, on the root; unchanged elsewhere |
#[allow(clippy::missing_errors_doc, reason = "both pass on what the world's verbs meet")]
pub trait Communication: Send + Sync + 'static {
    /// MPI's name of the verb, e.g. `"bcast"`.
    const OPERATION: &'static str;

    /// The name of the student's algorithm for reports, e.g. `"binomial tree"`; the verb's own name when it has none.
    const ALGORITHM: &'static str = Self::OPERATION;

    /// The number of messages as a formula in P, for display, e.g. `"P - 1"`.
    const MESSAGES: &'static str;

    /// The number of one-port rounds as a formula in P, for display, e.g. `"ceil(log2 P)"`.
    const ROUNDS: &'static str;

    /// The student's verb. Sums may be rounded differently from the library's.
    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()>;

    /// The library's verb.
    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()>;

    /// [`MESSAGES`](Self::MESSAGES) as a number: the point-to-point messages of all ranks.
    fn messages(&self, ranks: usize) -> u64;

    /// [`ROUNDS`](Self::ROUNDS) as a number.
    fn rounds(&self, ranks: usize) -> u64;
}

/// The library's verb, beside which the judge of an assignment measures a student's, and the costs that the student's must have.
/// `data` and the constants are those of [`Communication`].
#[allow(clippy::missing_errors_doc, reason = "it passes on what the world's verbs meet")]
pub trait LibraryVerb: Send + Sync + 'static {
    /// MPI's name of the verb.
    const OPERATION: &'static str;

    /// The name of the algorithm that a student's verb must have.
    const ALGORITHM: &'static str;

    /// The number of messages as a formula in P.
    const MESSAGES: &'static str;

    /// The number of one-port rounds as a formula in P.
    const ROUNDS: &'static str;

    /// The verb.
    fn call(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()>;

    /// [`MESSAGES`](Self::MESSAGES) as a number.
    fn messages(&self, ranks: usize) -> u64;

    /// [`ROUNDS`](Self::ROUNDS) as a number.
    fn rounds(&self, ranks: usize) -> u64;
}

/// The program of a judge has no student's verb: the judge measures that in the student's program.
impl<L: LibraryVerb> Communication for L {
    const OPERATION: &'static str = <L as LibraryVerb>::OPERATION;
    const ALGORITHM: &'static str = <L as LibraryVerb>::ALGORITHM;
    const MESSAGES: &'static str = <L as LibraryVerb>::MESSAGES;
    const ROUNDS: &'static str = <L as LibraryVerb>::ROUNDS;

    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        self.call(world, data, root)
    }

    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        self.call(world, data, root)
    }

    fn messages(&self, ranks: usize) -> u64 {
        LibraryVerb::messages(self, ranks)
    }

    fn rounds(&self, ranks: usize) -> u64 {
        LibraryVerb::rounds(self, ranks)
    }
}
