//! A row of the catalogue: a barrier's name, family, source, guarantee, cost and implementation.
use wb_comm::{Rank, Result, Text};

use crate::barriers::{
    ErasedProgram, Pattern, Plan,
    compiled_plan::{CompiledPlan, SignalEncoding},
    group_config::GroupConfig,
};

/// One barrier.
#[derive(Clone, Copy)]
pub struct BarrierEntry {
    /// Its name, which is also its file's (with a parameter or form appended where a file has several rows).
    pub name: &'static str,
    /// Its family.
    pub family: Family,
    /// Paper, library or document.
    pub source: &'static str,
    /// Section of the specification that the catalogue was written from, e.g. `"1.4"`; `"-"` for a barrier that is not from
    /// there (`docs/contributor.md` has the chapters).
    pub section: &'static str,
    /// One line of description.
    pub summary: Text<&'static str>,
    /// The guarantee at its return.
    pub guarantee: Guarantee,
    /// Its cost at a size, on one node and with the row's own radix, where a formula is known; a test compares it with
    /// the plan of a pattern. Without a formula the cost of a pattern is counted from its plan, and a program shows no
    /// cost.
    pub cost: Option<fn(usize) -> BarrierCost>,
    /// Its implementation.
    pub implementation: Implementation,
}

/// The family of a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// MPI's two-sided barriers.
    TwoSided,
    /// OpenSHMEM's one-sided barriers.
    OneSided,
    /// Ascend's levels: core, NPU, host.
    Ascend,
    /// Barriers of a subset.
    Partial,
    /// Over a control network.
    ControlNetwork,
    /// Nodes first.
    Hierarchical,
    /// On one node, in shared memory.
    SharedMemory,
    /// MPI's RMA synchronisation.
    Rma,
    /// Barriers of a library.
    Native,
    /// Intentionally wrong: never offered, always refuted.
    Wrong,
}

impl Family {
    /// The name in the catalogue and in `--json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::TwoSided => "two-sided",
            Self::OneSided => "one-sided",
            Self::Ascend => "ascend",
            Self::Partial => "partial",
            Self::ControlNetwork => "control network",
            Self::Hierarchical => "hierarchical",
            Self::SharedMemory => "shared memory",
            Self::Rma => "rma",
            Self::Native => "native",
            Self::Wrong => "wrong",
        }
    }
}

/// The guarantee when a participant leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guarantee {
    /// All memory operations issued before are complete everywhere (OpenSHMEM's *barrier*); else only the rendezvous
    /// holds (its *sync*).
    pub memory: bool,
    /// The participants whose arrival is guaranteed when one leaves.
    pub scope: ArrivalScope,
}

impl Guarantee {
    /// Every rank has arrived, nothing more.
    pub const RENDEZVOUS: Self = Self { memory: false, scope: ArrivalScope::Group };

    /// Every rank has arrived and all memory operations are complete.
    pub const COMPLETION: Self = Self { memory: true, scope: ArrivalScope::Group };
}

/// The participants whose arrival is guaranteed when one leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrivalScope {
    /// Every rank's.
    Group,
    /// The cells of the neighbours.
    Neighbours,
}

/// The cost of one episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BarrierCost {
    /// Messages, or signals; remote reads are not counted.
    pub messages: usize,
    /// Unit times when each rank has one port to send and one to receive, where a formula is known.
    pub rounds: Option<usize>,
    /// The longest chain of dependent messages, ports unlimited, where a formula is known.
    pub hops: Option<usize>,
}

/// The substrates of a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Substrate {
    /// Zero-byte messages between ranks.
    Messages,
    /// Shared memory: cells that all participants map.
    Cells,
    /// A window of MPI's, with remote atomics.
    Window,
    /// Calls of the MPI library.
    Mpi,
    /// Calls of an OpenSHMEM library.
    Shmem,
    /// Threads of one process, in Rust's standard library.
    Std,
    /// TCP connections to a server.
    Tcp,
}

impl Substrate {
    /// All values.
    pub const ALL: [Self; 7] =
        [Self::Messages, Self::Cells, Self::Window, Self::Mpi, Self::Shmem, Self::Std, Self::Tcp];

    /// The name in the catalogue, on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Messages => "messages",
            Self::Cells => "cells",
            Self::Window => "window",
            Self::Mpi => "mpi",
            Self::Shmem => "shmem",
            Self::Std => "std",
            Self::Tcp => "tcp",
        }
    }
}
/// The implementation of a barrier.
#[derive(Clone, Copy)]
pub enum Implementation {
    /// A plan of signals, which runs on messages, cells and windows.
    Pattern(fn(&GroupConfig) -> Result<Box<dyn Pattern>>),
    /// A program of operations of [`Memory`](wb_comm::Memory), which runs on cells and windows.
    Program(fn(&GroupConfig) -> Result<Box<dyn ErasedProgram>>),
    /// Calls that exist on these substrates only.
    Native(&'static [Substrate]),
}

impl BarrierEntry {
    /// The substrates on which it runs.
    pub fn substrates(&self) -> &'static [Substrate] {
        match self.implementation {
            Implementation::Pattern(_) => &[Substrate::Messages, Substrate::Cells, Substrate::Window],
            Implementation::Program(_) => &[Substrate::Cells, Substrate::Window],
            Implementation::Native(substrates) => substrates,
        }
    }

    /// Every rank's plan; `None` for barriers that are not patterns.
    ///
    /// # Errors
    /// Where the algorithm is not defined for the group, and the errors of [`GroupConfig::check`].
    pub fn plans(&self, config: &GroupConfig) -> Option<Result<Vec<Plan>>> {
        let plans = |pattern: Box<dyn Pattern>| {
            (0..config.size).map(|rank| pattern.plan(rank, config.size)).collect()
        };
        self.pattern(config).map(|pattern| pattern.and_then(plans))
    }

    /// The plan of `rank` alone; `None` for barriers that are not patterns.
    ///
    /// # Errors
    /// See [`plans`](Self::plans).
    pub fn plan(&self, rank: Rank, config: &GroupConfig) -> Option<Result<Plan>> {
        let plan = |pattern: Box<dyn Pattern>| pattern.plan(rank, config.size);
        self.pattern(config).map(|pattern| pattern.and_then(plan))
    }

    /// The pattern for a group; `None` for barriers that are not patterns.
    pub(crate) fn pattern(&self, config: &GroupConfig) -> Option<Result<Box<dyn Pattern>>> {
        let Implementation::Pattern(make) = self.implementation else { return None };
        Some(config.check().and_then(|()| make(config)))
    }

    /// The program of participant `rank` in memory; `None` for natives.
    ///
    /// # Errors
    /// Where the algorithm is not defined for the group.
    pub fn in_memory(
        &self,
        rank: Rank,
        config: &GroupConfig,
        encoding: SignalEncoding,
    ) -> Option<Result<Box<dyn ErasedProgram>>> {
        match self.implementation {
            Implementation::Pattern(_) => {
                let compile = |plans: Vec<Plan>| CompiledPlan::from_plans(rank, &plans, encoding);
                let boxed = |program| Box::new(program) as Box<dyn ErasedProgram>;
                self.plans(config).map(|plans| plans.and_then(compile).map(boxed))
            }
            Implementation::Program(make) => Some(config.check().and_then(|()| make(config))),
            Implementation::Native(_) => None,
        }
    }
}
