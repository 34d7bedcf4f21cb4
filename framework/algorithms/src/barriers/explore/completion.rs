//! Completion of puts that are outstanding when a barrier is entered: the difference of OpenSHMEM's *barrier* and
//! *sync*.
//!
//! [`BarrierWithPut`] adds a put to a barrier: one PE puts the episode's number into a word at another one and enters
//! without waiting; the other one reads the word after it has left. The explorer delays that put as long as the memory
//! permits, so a barrier either completes it or there is a run in which a PE leaves without it. Words are independent,
//! so one put at a time decides for all; every pair of PEs is tried. A PE that misses its word waits for ever: the run
//! to this state is an ordinary trace.
//!
//! ```
//! use wb_algorithms::barriers::{GroupConfig, MemoryOrdering, catalogue::find, compiled_plan::SignalEncoding, explore::{CompletionResult, completion}};
//!
//! let of = |name| completion(find(name)?, &GroupConfig::new(2), SignalEncoding::Add, MemoryOrdering::UNORDERED, 1).expect("a program");
//! assert!(matches!(of("cross_host")?, CompletionResult::Complete { .. }));
//! assert!(matches!(of("dissemination")?, CompletionResult::Missing { .. }));
//! # Ok::<(), wb_comm::Error>(())
//! ```
use std::fmt;

use wb_comm::{Memory, Rank, Result, Until};

use super::{BlockedPe, Configuration, MemoryOp, SearchResult, TraceStep, explore};
use crate::barriers::{
    BarrierEntry, BarrierProgram, ErasedProgram, GroupConfig, MemoryOrdering, compiled_plan::SignalEncoding,
};

/// No episode has this number, so the PE that waits for it waits for ever.
const NEVER: Until = Until::Equal(i64::MIN);

/// States of one search.
const LIMIT: usize = 500_000;

/// A barrier with one put around it: see the module.
pub struct BarrierWithPut {
    barrier: Box<dyn ErasedProgram>,
    from: Rank,
    to: Rank,
}

impl BarrierWithPut {
    /// The barrier `barrier` with a put of `from` to `to` around it.
    pub fn new(barrier: Box<dyn ErasedProgram>, from: Rank, to: Rank) -> Self {
        Self { barrier, from, to }
    }
}

impl BarrierProgram for BarrierWithPut {
    fn cells(&self, size: usize) -> usize {
        self.barrier.cells(size) + 2
    }

    fn initial(&self) -> i64 {
        self.barrier.initial()
    }

    fn members(&self, size: usize) -> Vec<Rank> {
        self.barrier.members(size)
    }

    fn required_ordering(&self) -> MemoryOrdering {
        self.barrier.required_ordering()
    }

    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let word = self.barrier.cells(m.size());
        let unwritten = word + 1;
        // In a group without `to` there is no put to complete.
        if m.rank() == self.from && self.to < m.size() {
            m.put(self.to, word, epoch)?;
        }
        self.barrier.run_on_memory(m, epoch)?;
        // The PE that puts may be one episode ahead.
        if m.rank() == self.to && m.load(word)? < epoch {
            return m.wait(unwritten, NEVER);
        }
        Ok(())
    }
}

/// The result about outstanding puts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompletionResult {
    /// All puts are complete for the PE that leaves, in every run.
    Complete {
        /// The number of states that were seen.
        states: usize,
    },
    /// A PE leaves in this run, and one put is not complete.
    Missing {
        /// The PE that put.
        from: Rank,
        /// The PE that left.
        to: Rank,
        /// The run that leads to it.
        trace: Vec<TraceStep>,
    },
    /// Another result came first: a fault of the barrier, or the end of a search that takes too long.
    Undecided(SearchResult),
}

impl fmt::Display for CompletionResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Complete { states } => write!(f, "complete: {states} states"),
            Self::Missing { from, to, .. } => {
                write!(f, "missing: PE {to} leaves, and what PE {from} had put is not there")
            }
            Self::Undecided(finding) => finding.fmt(f),
        }
    }
}

/// Whether a barrier of the catalogue completes outstanding puts, on that memory, in the given number of consecutive
/// episodes? `None` for natives.
///
/// # Errors
/// Where the algorithm is not defined for the group.
pub fn completion(
    entry: &BarrierEntry,
    config: &GroupConfig,
    encoding: SignalEncoding,
    mode: MemoryOrdering,
    episodes: usize,
) -> Option<Result<CompletionResult>> {
    let program = |rank| entry.in_memory(rank, config, encoding);
    program(0).map(|first| {
        first.and_then(|_| {
            let again = |rank| program(rank).expect("as for PE 0");
            completion_of(config.size, &again, mode, episodes)
        })
    })
}

/// As [`completion`], of the program that `program` returns for each of `size` PEs.
///
/// # Errors
/// Its own, and the error that an episode returns itself.
pub fn completion_of(
    size: usize,
    program: &dyn Fn(Rank) -> Result<Box<dyn ErasedProgram>>,
    mode: MemoryOrdering,
    episodes: usize,
) -> Result<CompletionResult> {
    let pairs = (0..size).flat_map(|from| (0..size).map(move |to| (from, to)));
    let mut all = 0;
    for (from, to) in pairs.filter(|(from, to)| from != to) {
        let with_put = |rank| {
            let with_put = BarrierWithPut::new(program(rank)?, from, to);
            Ok(Box::new(with_put) as Box<dyn ErasedProgram>)
        };
        let programs: Result<Vec<_>> = (0..size).map(with_put).collect();
        match explore(&Configuration::with_episodes(programs?, episodes), mode, LIMIT)? {
            SearchResult::Safe { states } => all += states,
            SearchResult::Deadlock { waiting, trace } if waiting.iter().any(is_missing_put) => {
                return Ok(CompletionResult::Missing { from, to, trace });
            }
            other => return Ok(CompletionResult::Undecided(other)),
        }
    }
    Ok(CompletionResult::Complete { states: all })
}

fn is_missing_put(waiting: &BlockedPe) -> bool {
    matches!(waiting.operation, MemoryOp::Wait { until: NEVER, .. })
}
