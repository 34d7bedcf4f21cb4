//! The explorer: it searches every run of a program, and proves a barrier in memory safe or finds the shortest run that
//! violates it.
//!
//! It runs the same code as the machine does, over a [`Memory`](wb_comm::Memory) that is exactly as weak as its
//! specification: a put or an add arrives at any later time, in any order that [`MemoryOrdering`] admits. The search is
//! breadth first over all states (the position of each PE, the contents of the cells, the messages in flight), so the
//! first fault found is one of the shortest. Two or three episodes at 2 to 6 PEs are enough for every fault of
//! `docs/barriers.md`: each of them needs a PE that is one episode ahead, or one message that is late.
//!
//! Most runs differ only in the order of independent steps, so most are left out (partial-order reduction, with
//! persistent sets of one step, and symmetry):
//!
//! - A step that commutes with all steps that others may take before it is taken immediately, and no other is tried:
//!   local steps, and steps at a *counter*, a cell whose changes never disable a step of a PE (`counters.rs` defines
//!   these cells). The possible operations at a cell are those that the search has met, and the assumption is checked
//!   when further ones are found.
//! - Of states in which PEs that are *alike* are exchanged, one is searched (`symmetry.rs`).
//!
//! Both preserve every fault. Runs are finite, since each step advances a PE or a message. From a state before a fault,
//! the step taken immediately leads to a state before that fault too, and so does an exchange of indistinguishable PEs.
//! Leaving is never delayed and entering is never advanced, so a violation remains one. Tests compare the reduced
//! search with the full one on all barriers, right and wrong, and repeat every reduced trace on the full machine.
//!
//! ```
//! use wb_algorithms::barriers::{GroupConfig, MemoryOrdering, catalogue::find, compiled_plan::SignalEncoding, explore::{Configuration, SearchResult, explore}};
//!
//! let configuration = Configuration::from_entry(find("central_counter")?, &GroupConfig::new(3), SignalEncoding::Add, 2).expect("a program")?;
//! assert!(matches!(explore(&configuration, MemoryOrdering::UNORDERED, 100_000)?, SearchResult::Safe { .. }));
//! # Ok::<(), wb_comm::Error>(())
//! ```
//!
//! It cannot decide some programs: one that loops over `get` or `load` itself and remembers only the number of its
//! reads has as many states as reads. Such a search ends in [`SearchResult::LimitReached`], unless a fault is found
//! first. `poll` and `wait` are loops that the explorer understands.
use std::{fmt, rc::Rc};

use wb_comm::{CellIndex, Rank, Result, Text, text::proof as text};

use crate::barriers::{
    BarrierEntry, ErasedProgram, GroupConfig, MemoryOrdering, compiled_plan::SignalEncoding,
};

mod automaton;
mod completion;
mod counters;
mod refutation;
mod replay;
mod search;
mod state;
mod symmetry;
mod trace;
mod transition_system;

pub use completion::{BarrierWithPut, CompletionResult, completion, completion_of};
pub use refutation::{MemoryRefutation, refute};
pub use replay::MemoryOp;
pub use trace::{BlockedPe, MemoryMessage, TraceAction, TraceStep};

/// The participants: groups of PEs, each with its barrier, and the order in which each PE calls them.
pub struct Configuration {
    /// The number of PEs.
    pub size: usize,
    /// The barriers.
    pub groups: Vec<BarrierGroup>,
    /// For each PE the groups, by number, whose barrier it calls one after the other.
    pub calls: Vec<Vec<usize>>,
}

/// A barrier among some PEs.
pub struct BarrierGroup {
    /// The ranks of the programs: rank i is PE `ranks[i]`.
    pub ranks: Vec<Rank>,
    /// The PEs whose arrival is required: all of these, or a subset.
    pub members: Vec<Rank>,
    /// The program of each rank.
    pub programs: Vec<Rc<dyn ErasedProgram>>,
    /// Its first cell; groups may overlap, intentionally or as a fault.
    pub first_cell: CellIndex,
    /// The number of episodes that are already over.
    pub epoch: i64,
}

impl BarrierGroup {
    /// A barrier among `members`, the only PEs that their programs see; with cells of its own from `first_cell` on.
    pub fn for_team(members: &[Rank], programs: Vec<Rc<dyn ErasedProgram>>, first_cell: CellIndex) -> Self {
        let (ranks, members) = (members.to_vec(), members.to_vec());
        Self { ranks, members, programs, first_cell, epoch: 0 }
    }

    /// The barrier of the PEs that the programs name as [members](crate::barriers::BarrierProgram::members), one program for each
    /// PE.
    pub fn from_programs(programs: Vec<Rc<dyn ErasedProgram>>) -> Self {
        let size = programs.len();
        let members = programs.first().map(|program| program.members(size)).unwrap_or_default();
        Self { ranks: (0..size).collect(), members, programs, first_cell: 0, epoch: 0 }
    }

    fn cells(&self) -> usize {
        self.programs.iter().map(|program| program.cells(self.ranks.len())).max().unwrap_or_default()
    }
}

impl Configuration {
    /// One barrier, a program for each PE, with the given number of consecutive episodes.
    pub fn with_episodes(programs: Vec<Box<dyn ErasedProgram>>, episodes: usize) -> Self {
        let size = programs.len();
        let group = BarrierGroup::from_programs(programs.into_iter().map(Rc::from).collect());
        Self::from_sequence(size, vec![group], &vec![0; episodes])
    }

    /// A barrier of the catalogue, with the given number of consecutive episodes; `None` for natives.
    ///
    /// # Errors
    /// Where the algorithm is not defined for the group.
    pub fn from_entry(
        entry: &BarrierEntry,
        config: &GroupConfig,
        encoding: SignalEncoding,
        episodes: usize,
    ) -> Option<Result<Self>> {
        let programs: Option<Result<Vec<_>>> =
            (0..config.size).map(|rank| entry.in_memory(rank, config, encoding)).collect();
        programs.map(|programs| programs.map(|programs| Self::with_episodes(programs, episodes)))
    }

    /// The number of cells of each PE.
    fn cells(&self) -> usize {
        self.groups.iter().map(|group| group.first_cell + group.cells()).max().unwrap_or_default()
    }

    /// The initial values of the cells of each PE.
    fn initial(&self) -> Vec<i64> {
        let mut initial = vec![0; self.cells()];
        for group in &self.groups {
            for program in &group.programs {
                let end = group.first_cell + program.cells(group.ranks.len());
                initial[group.first_cell..end].fill(program.initial());
            }
        }
        initial
    }

    /// Every member of `groups[order[0]]` calls its barrier, then every member of `groups[order[1]]`, and so on.
    pub fn from_sequence(size: usize, groups: Vec<BarrierGroup>, order: &[usize]) -> Self {
        let calls_of =
            |pe| order.iter().copied().filter(|&group| groups[group].members.contains(&pe)).collect();
        Self { size, calls: (0..size).map(calls_of).collect(), groups }
    }
}

/// One episode of one group's barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Episode {
    /// The group's number in the configuration.
    pub group: usize,
    /// 1, 2, 3, ...
    pub number: usize,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchResult {
    /// No PE leaves early in any run, and every run ends.
    Safe {
        /// The number of visited states; steps that no PE can see are merged with the step before.
        states: usize,
    },
    /// A PE left an episode that others had not entered.
    Violation {
        /// The episode.
        episode: Episode,
        /// The PE that left.
        early_rank: Rank,
        /// The PEs that had not entered.
        missing: Vec<Rank>,
        /// The run that leads to it.
        trace: Vec<TraceStep>,
    },
    /// No PE can continue, no message is in flight, and a PE is not done.
    Deadlock {
        /// The waiting PEs and their conditions.
        waiting: Vec<BlockedPe>,
        /// The run that leads to it.
        trace: Vec<TraceStep>,
    },
    /// The search reached its limit.
    LimitReached {
        /// The number of visited states.
        states: usize,
    },
}

impl SearchResult {
    /// Whether it is [`Safe`](Self::Safe).
    pub fn is_safe(&self) -> bool {
        matches!(self, Self::Safe { .. })
    }

    /// `"safe"`, `"violation"`, `"deadlock"`, `"limit"`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Safe { .. } => "safe",
            Self::Violation { .. } => "violation",
            Self::Deadlock { .. } => "deadlock",
            Self::LimitReached { .. } => "limit",
        }
    }

    /// The result in both languages, without the trace.
    pub fn text(&self) -> Text {
        match self {
            &Self::Safe { states } => text::safe(states),
            Self::Violation { episode, early_rank, missing, .. } => {
                text::violation(*early_rank, episode.number, missing.as_slice())
            }
            Self::Deadlock { waiting, .. } => {
                let waiting = waiting.iter().map(BlockedPe::text).reduce(text::and_blocked);
                text::blocked(waiting.expect("a deadlock has a waiting PE"))
            }
            &Self::LimitReached { states } => text::undecided(states),
        }
    }

    /// The run that leads to the fault; empty if there is none.
    pub fn trace(&self) -> &[TraceStep] {
        match self {
            Self::Violation { trace, .. } | Self::Deadlock { trace, .. } => trace,
            Self::Safe { .. } | Self::LimitReached { .. } => &[],
        }
    }
}

/// The last line, without the trace.
impl fmt::Display for SearchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

/// Searches at most `limit` states.
///
/// Searches first with merged invisible steps, which decides quickly; if that finds a fault, searches again without
/// merging, so that the trace is one of the shortest. (If only the quick search stays below the limit, the trace is its
/// own, right but longer.)
///
/// # Errors
/// An error that a program returns itself, e.g. [`Error::Setup`](wb_comm::Error::Setup) where it is not defined for the
/// size.
///
/// # Panics
/// When a program names a cell or a PE that it does not have, or is not deterministic.
pub fn explore(configuration: &Configuration, mode: MemoryOrdering, limit: usize) -> Result<SearchResult> {
    let quick = search::search(configuration, mode, limit, transition_system::Granularity::Coarse)?;
    if quick.trace().is_empty() {
        return Ok(quick);
    }
    match search::search(configuration, mode, limit, transition_system::Granularity::Fine)? {
        SearchResult::LimitReached { .. } => Ok(quick),
        exact => Ok(exact),
    }
}
