//! What is asked: the input, the output, and an oracle that tells right from wrong.
use std::fmt::Debug;

use wb_comm::Rank;

use crate::Verdict;

/// What the performance harness asks a problem for; a line of `performance.workloads` in `task.yaml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// Which kind of input, where a problem has several (`"int"`, `"float"`, ...).
    pub name: String,
    /// How much of it, in the problem's own unit (elements, rows, steps).
    pub size: usize,
    /// For inputs that are drawn at random: the same seed gives the same input on every rank.
    pub seed: u64,
}

/// A problem, whoever solves it.
pub trait Problem: Send + Sync + 'static {
    /// What is given. Every rank can make it, but a task gets it on one rank only.
    type Input: Clone + Debug + Send + Sync + 'static;
    /// What is wanted.
    type Output: Debug + Send + 'static;

    /// Is there one answer to every input? Where there are several (any shortest path will do), the checker asks the oracle
    /// alone, and does not hold the outputs of two orders of events against each other (WB0023).
    const ONE_ANSWER: bool = true;

    /// The rank that holds the input when the task starts, out of `ranks`. An answer outside `0..ranks` (an input that
    /// names a rank that does not exist) is taken as 0, and validation is expected to refuse it there.
    fn home(input: &Self::Input, ranks: usize) -> Rank {
        let _ = (input, ranks);
        0
    }

    /// An input for measuring; `None` when there is no workload of that name.
    fn workload(request: &Workload) -> Option<Self::Input>;

    /// The oracle: does `output` answer `input`? It must not simply repeat the task's own algorithm where a property
    /// can be checked instead.
    fn check(input: &Self::Input, output: &Self::Output) -> Verdict;
}
