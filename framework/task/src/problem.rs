//! A problem: the input, the output, and an oracle that decides whether an output is right.
use std::fmt::Debug;

use wb_comm::Rank;

use crate::Verdict;

/// The workload that the performance harness requests from a problem; a line of `performance.workloads` in `task.yaml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// The kind of input, where a problem has several (`"int"`, `"float"`, ...).
    pub name: String,
    /// The amount of input, in the problem's own unit (elements, rows, steps).
    pub size: usize,
    /// The number of ranks that solve it, for an input that depends on it: a scatter has as many parts as ranks.
    pub ranks: usize,
    /// The seed of random inputs: the same seed gives the same input on every rank.
    pub seed: u64,
}

/// A problem, independent of its solutions.
pub trait Problem: Send + Sync + 'static {
    /// The input. Every rank can make it, but a task gets it on one rank only.
    type Input: Clone + Debug + Send + Sync + 'static;
    /// The output.
    type Output: Debug + Send + 'static;

    /// Whether every input has one answer. Where there are several (such as any shortest path), the checker only asks
    /// the oracle and does not compare the outputs of two schedules (WB0023).
    const ONE_ANSWER: bool = true;

    /// The rank, out of `ranks`, that holds the input when the task starts. A result outside `0..ranks` (an input that
    /// names a rank that does not exist) is replaced by 0, and validation should refuse it there.
    fn home(input: &Self::Input, ranks: usize) -> Rank {
        let _ = (input, ranks);
        0
    }

    /// An input for measurements; `None` when there is no workload of that name.
    fn workload(request: &Workload) -> Option<Self::Input>;

    /// The oracle: whether `output` answers `input`. Where a property can be checked, the oracle should not repeat the
    /// task's own algorithm.
    fn check(input: &Self::Input, output: &Self::Output) -> Verdict;

    /// The bytes that each rank, in rank order, has sent at least in messages when several `ranks` have made this right output;
    /// ranks that are missing at the end may send nothing. A problem whose data take a given way over the ranks states them, so
    /// that data that take another way are found though the output is right.
    fn least_sent_bytes(input: &Self::Input, output: &Self::Output, ranks: usize) -> Vec<u64> {
        let _ = (input, output, ranks);
        vec![]
    }
}
