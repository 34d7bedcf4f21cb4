//! A row of the catalogue: a barrier's name, family and source, what it guarantees, what it costs, how it is implemented.
use wb_comm::{Rank, Result, Text};

use crate::{
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
    /// One line for people.
    pub summary: Text<&'static str>,
    /// What holds when it is left.
    pub guarantee: Guarantee,
    /// What it costs at a size, on one node and with the row's own radix, where a formula is known; a test holds it
    /// against the plan of a pattern. Without one a pattern is counted from its plan, a program shows no costs.
    pub cost: Option<fn(usize) -> BarrierCost>,
    /// How it is written.
    pub implementation: Implementation,
}

/// Where a barrier belongs.
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
    /// What a library brings along.
    Native,
    /// Wrong on purpose: never offered, always refused.
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

/// What holds when a participant leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guarantee {
    /// All memory operations issued before are complete everywhere (OpenSHMEM's *barrier*); else only the rendezvous
    /// holds (its *sync*).
    pub memory: bool,
    /// Whose arrival a leaving participant can rely on.
    pub scope: ArrivalScope,
}

impl Guarantee {
    /// Every rank has arrived, nothing more.
    pub const RENDEZVOUS: Self = Self { memory: false, scope: ArrivalScope::Group };

    /// Every rank has arrived and all memory operations are complete.
    pub const COMPLETION: Self = Self { memory: true, scope: ArrivalScope::Group };
}

/// Whose arrival a leaving participant can rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrivalScope {
    /// Every rank's.
    Group,
    /// Its neighbours'.
    Neighbours,
}

/// What one episode costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BarrierCost {
    /// Messages, or signals; remote reads come on top.
    pub messages: usize,
    /// Unit times when each rank has one port to send and one to receive, where a formula is known.
    pub rounds: Option<usize>,
    /// The longest chain of dependent messages, ports unlimited, where a formula is known.
    pub hops: Option<usize>,
}

/// What can carry a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Substrate {
    /// Zero-byte messages between ranks.
    Messages,
    /// Shared memory: cells that all map.
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
    /// All of them.
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
/// How a barrier is written.
#[derive(Clone, Copy)]
pub enum Implementation {
    /// By signals: runs on messages, cells and windows.
    Pattern(fn(&GroupConfig) -> Result<Box<dyn Pattern>>),
    /// In the verbs of [`Memory`](wb_comm::Memory): runs on cells and windows.
    Program(fn(&GroupConfig) -> Result<Box<dyn ErasedProgram>>),
    /// Elsewhere, by calls that only these offer.
    Native(&'static [Substrate]),
}

impl BarrierEntry {
    /// What can carry it.
    pub fn substrates(&self) -> &'static [Substrate] {
        match self.implementation {
            Implementation::Pattern(_) => &[Substrate::Messages, Substrate::Cells, Substrate::Window],
            Implementation::Program(_) => &[Substrate::Cells, Substrate::Window],
            Implementation::Native(substrates) => substrates,
        }
    }

    /// Every rank's plan; `None` for barriers that are no patterns.
    ///
    /// # Errors
    /// Where the algorithm is not defined for the group, and what [`GroupConfig::check`] finds.
    pub fn plans(&self, config: &GroupConfig) -> Option<Result<Vec<Plan>>> {
        let plans = |pattern: Box<dyn Pattern>| {
            (0..config.size).map(|rank| pattern.plan(rank, config.size)).collect()
        };
        self.pattern(config).map(|pattern| pattern.and_then(plans))
    }

    /// The plan of `rank` alone; `None` for barriers that are no patterns.
    ///
    /// # Errors
    /// See [`plans`](Self::plans).
    pub fn plan(&self, rank: Rank, config: &GroupConfig) -> Option<Result<Plan>> {
        let plan = |pattern: Box<dyn Pattern>| pattern.plan(rank, config.size);
        self.pattern(config).map(|pattern| pattern.and_then(plan))
    }

    /// The pattern for a group; `None` for barriers that are none.
    pub(crate) fn pattern(&self, config: &GroupConfig) -> Option<Result<Box<dyn Pattern>>> {
        let Implementation::Pattern(make) = self.implementation else { return None };
        Some(config.check().and_then(|()| make(config)))
    }

    /// What runs in memory as participant `rank`; `None` for natives.
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
                let script = |plans: Vec<Plan>| CompiledPlan::from_plans(rank, &plans, encoding);
                let boxed = |script| Box::new(script) as Box<dyn ErasedProgram>;
                self.plans(config).map(|plans| plans.and_then(script).map(boxed))
            }
            Implementation::Program(make) => Some(config.check().and_then(|()| make(config))),
            Implementation::Native(_) => None,
        }
    }
}
