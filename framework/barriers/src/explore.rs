//! Every run that a program's text admits: the explorer proves a barrier in memory safe, or shows the shortest run that
//! breaks it.
//!
//! It runs the same text as the machine does, over a [`Memory`](wb_comm::Memory) that is exactly as weak as its promise:
//! what a PE has put or added arrives at any later time, in any order that [`MemoryOrdering`] admits. Breadth first over all states
//! (how far each PE is, what the cells hold, what is under way), so the first fault found is one of the shortest. Two or
//! three episodes at 2 to 6 PEs are enough for every fault of `docs/barriers.md`: they all need a PE that is one
//! episode ahead, or one message that is late.
//!
//! Most runs differ only in the order of steps that do not touch each other, so most are left out (partial-order
//! reduction, with persistent sets of one step, and symmetry):
//!
//! - A step that commutes with all that others may do before it is taken immediately, and nothing else is tried: what is local,
//!   and what happens at a *counter*, a cell that takes away no PE's leave to continue (`counters.rs` says which cells are
//!   such). What may still happen at a cell is known from the operations that the search itself has met, and checked as more
//!   come to light.
//! - Of states in which PEs that are *alike* have changed places, one is searched (`symmetry.rs`).
//!
//! Both keep every fault: runs are finite, since each step brings a PE or a message further; from a state before a fault
//! the step taken immediately leads to a state before that fault too; and so does exchanging PEs that no PE can distinguish. To
//! leave is never put off, to enter never hurried, so a violation stays one. Tests hold the reduced search against the
//! full one on all barriers, right and wrong, and make every reduced trace again on the full machine.
//!
//! ```
//! use wb_barriers::{GroupConfig, MemoryOrdering, catalogue::find, compiled_plan::SignalEncoding, explore::{Configuration, SearchResult, explore}};
//!
//! let configuration = Configuration::from_entry(find("central_counter")?, &GroupConfig::new(3), SignalEncoding::Add, 2).expect("a program")?;
//! assert!(matches!(explore(&configuration, MemoryOrdering::UNORDERED, 100_000)?, SearchResult::Safe { .. }));
//! # Ok::<(), wb_comm::Error>(())
//! ```
//!
//! What it cannot decide: a program that loops over `get` or `load` by hand and remembers nothing but how often it
//! looked has as many states as it can look; such a search ends in [`SearchResult::LimitReached`], unless a fault comes first.
//! `poll` and `wait` are loops that the explorer understands.
use std::{fmt, rc::Rc};

use wb_comm::{CellIndex, Rank, Result};

use crate::{BarrierEntry, ErasedProgram, GroupConfig, MemoryOrdering, compiled_plan::SignalEncoding};

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

/// Who plays: groups of PEs, each with its barrier, and in which order each PE calls them.
pub struct Configuration {
    /// How many PEs there are.
    pub size: usize,
    /// The barriers.
    pub groups: Vec<BarrierGroup>,
    /// For each PE the groups, by number, whose barrier it calls one after the other.
    pub calls: Vec<Vec<usize>>,
}

/// A barrier among some PEs.
pub struct BarrierGroup {
    /// Whom the programs see: rank i is PE `ranks[i]`.
    pub ranks: Vec<Rank>,
    /// Whose arrival counts: all of these PEs, or a subset.
    pub members: Vec<Rank>,
    /// For each rank what it runs.
    pub programs: Vec<Rc<dyn ErasedProgram>>,
    /// Where its cells begin; groups may overlap, on purpose or as a fault.
    pub first_cell: CellIndex,
    /// How many episodes are over already.
    pub epoch: i64,
}

impl BarrierGroup {
    /// A barrier among `members`, which are all that their programs see; with cells of its own from `first_cell` on.
    pub fn for_team(members: &[Rank], programs: Vec<Rc<dyn ErasedProgram>>, first_cell: CellIndex) -> Self {
        let (ranks, members) = (members.to_vec(), members.to_vec());
        Self { ranks, members, programs, first_cell, epoch: 0 }
    }

    /// The barrier of those PEs whom the programs name as [members](crate::BarrierProgram::members), one program for each PE.
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
    /// One barrier, a program for each PE, so many episodes back to back.
    pub fn with_episodes(programs: Vec<Box<dyn ErasedProgram>>, episodes: usize) -> Self {
        let size = programs.len();
        let group = BarrierGroup::from_programs(programs.into_iter().map(Rc::from).collect());
        Self::from_sequence(size, vec![group], &vec![0; episodes])
    }

    /// A barrier of the catalogue, so many episodes back to back; `None` for natives.
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

    /// How many cells each PE has.
    fn cells(&self) -> usize {
        self.groups.iter().map(|group| group.first_cell + group.cells()).max().unwrap_or_default()
    }

    /// What the cells of each PE hold at first.
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

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchResult {
    /// In no run does anybody leave early, and every run ends.
    Safe {
        /// The number of states that were seen; steps that no PE can see happen together with the step before.
        states: usize,
    },
    /// A PE left an episode that others had not entered.
    Violation {
        /// Which one.
        episode: Episode,
        /// Who left.
        leaver: Rank,
        /// Who had not entered.
        missing: Vec<Rank>,
        /// How it came to that.
        trace: Vec<TraceStep>,
    },
    /// No PE can continue, nothing is under way, and a PE is not done.
    Deadlock {
        /// Who waits for what.
        waiting: Vec<BlockedPe>,
        /// How it came to that.
        trace: Vec<TraceStep>,
    },
    /// The search gave up.
    LimitReached {
        /// The number of states that were seen.
        states: usize,
    },
}

impl SearchResult {
    /// Is it [`Safe`](Self::Safe)?
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

    /// The run that leads to the fault; empty where there is none.
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
        match self {
            Self::Safe { states } => write!(f, "safe: {states} states"),
            Self::Violation { episode, leaver: left, missing, .. } => {
                write!(
                    f,
                    "violation: PE {left} leaves episode {}, PE {missing:?} has not entered",
                    episode.number
                )
            }
            Self::Deadlock { waiting, .. } => {
                let waiting: Vec<_> = waiting.iter().map(ToString::to_string).collect();
                write!(f, "deadlock: {}", waiting.join("; "))
            }
            Self::LimitReached { states } => write!(f, "undecided after {states} states"),
        }
    }
}

/// Searches at most `limit` states.
///
/// Looks first with invisible steps taken together, which decides quickly; if that finds a fault, once more without,
/// so that the trace is one of the shortest. (Where only the quick search stays below the limit, the trace is its own,
/// right but longer.)
///
/// # Errors
/// What a program returns of its own accord, e.g. [`Error::Setup`](wb_comm::Error::Setup) where it is not defined for
/// the size.
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
