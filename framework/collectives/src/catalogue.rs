//! The catalogue of barriers: what there is, where it comes from, what it promises, what it costs.
//!
//! Its rows are the `ENTRIES` of the files in `src/barrier`; nobody keeps a list.
use wb_comm::{Cells, Error, Memory, Rank, Result, text::barrier};

use crate::{
    BarrierProgram, Pattern,
    compiled_plan::{CompiledPlan, SignalEncoding},
    explore::MemoryOrdering,
    plan::Plan,
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
    pub summary: BilingualText,
    /// What holds when it is left.
    pub guarantee: Guarantee,
    /// What it costs at a size, on one node and with the row's own radix, where a formula is known; a test holds it
    /// against the plan of a pattern. Without one a pattern is counted from its plan, a program shows no costs.
    pub cost: Option<fn(usize) -> BarrierCost>,
    /// How it is written.
    pub implementation: Implementation,
}

/// A line in both languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is a language")]
pub struct BilingualText {
    pub en: &'static str,
    pub ru: &'static str,
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
    /// Everybody has arrived, nothing more.
    pub const RENDEZVOUS: Self = Self { memory: false, scope: ArrivalScope::Group };

    /// Everybody has arrived and all memory operations are complete.
    pub const COMPLETION: Self = Self { memory: true, scope: ArrivalScope::Group };
}

/// Whose arrival a leaving participant can rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrivalScope {
    /// Everybody's.
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

/// What a barrier is built for; the same at all members.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GroupConfig {
    /// How many take part, at least 1.
    pub size: usize,
    /// The node of each, by rank.
    pub nodes: Vec<usize>,
    /// The radix that is asked for, of barriers that have one.
    pub radix: Option<usize>,
}

impl GroupConfig {
    /// `size` participants on one node.
    pub fn new(size: usize) -> Self {
        Self { size, nodes: vec![0; size], radix: None }
    }

    /// `size` participants on nodes that are written as `2x3,1x2`: two nodes of three, then one of two.
    ///
    /// # Errors
    /// See [`wb_comm::nodes::parse`].
    pub fn parse_nodes(size: usize, text: &str) -> Result<Self> {
        Ok(Self { nodes: wb_comm::nodes::parse(text, size)?, ..Self::new(size) })
    }

    /// Is there somebody, and is everybody somewhere?
    ///
    /// # Errors
    /// [`Error::Setup`] for a group of nobody, or nodes of more or fewer ranks than there are.
    pub fn check(&self) -> Result<()> {
        match (self.size, self.nodes.len()) {
            (0, _) => Err(Error::Setup(barrier::nobody())),
            (size, nodes) if size != nodes => Err(Error::Setup(barrier::nodes_of_others(size, nodes))),
            _ => Ok(()),
        }
    }

    /// Are all on one node?
    pub fn is_single_node(&self) -> bool {
        self.nodes.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// The radix that is asked for, else `default`.
    ///
    /// # Errors
    /// [`Error::Setup`] for 0 and 1, with which no distance ever grows.
    pub fn radix_or(&self, default: usize) -> Result<usize> {
        match self.radix.unwrap_or(default) {
            radix @ (0 | 1) => Err(Error::Setup(barrier::radix(radix))),
            radix => Ok(radix),
        }
    }
}

/// How a barrier is written.
#[derive(Clone, Copy)]
pub enum Implementation {
    /// In the two verbs of [`Signal`](wb_comm::Signal): runs on messages, cells and windows.
    Pattern(fn(&GroupConfig) -> Result<Box<dyn ErasedPattern>>),
    /// In the verbs of [`Memory`]: runs on cells and windows.
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

    /// Everybody's plan; `None` for barriers that are no patterns.
    ///
    /// # Errors
    /// Where the algorithm is not defined for the setting, and what [`GroupConfig::check`] finds.
    pub fn plans(&self, setting: &GroupConfig) -> Option<Result<Vec<Plan>>> {
        let plans = |pattern: Box<dyn ErasedPattern>| {
            (0..setting.size).map(|rank| pattern.plan(rank, setting.size)).collect()
        };
        self.pattern(setting).map(|pattern| pattern.and_then(plans))
    }

    /// The plan of `rank` alone; `None` for barriers that are no patterns.
    ///
    /// # Errors
    /// See [`plans`](Self::plans).
    pub fn plan(&self, rank: Rank, setting: &GroupConfig) -> Option<Result<Plan>> {
        let plan = |pattern: Box<dyn ErasedPattern>| pattern.plan(rank, setting.size);
        self.pattern(setting).map(|pattern| pattern.and_then(plan))
    }

    /// The pattern for a setting; `None` for barriers that are none.
    pub(crate) fn pattern(&self, setting: &GroupConfig) -> Option<Result<Box<dyn ErasedPattern>>> {
        let Implementation::Pattern(make) = self.implementation else { return None };
        Some(setting.check().and_then(|()| make(setting)))
    }

    /// What runs in memory as participant `rank`; `None` for natives.
    ///
    /// # Errors
    /// Where the algorithm is not defined for the setting.
    pub fn in_memory(
        &self,
        rank: Rank,
        setting: &GroupConfig,
        style: SignalEncoding,
    ) -> Option<Result<Box<dyn ErasedProgram>>> {
        match self.implementation {
            Implementation::Pattern(_) => {
                let script = |plans: Vec<Plan>| CompiledPlan::from_plans(rank, &plans, style);
                let boxed = |script| Box::new(script) as Box<dyn ErasedProgram>;
                self.plans(setting).map(|plans| plans.and_then(script).map(boxed))
            }
            Implementation::Program(make) => Some(setting.check().and_then(|()| make(setting))),
            Implementation::Native(_) => None,
        }
    }
}

/// A [`Pattern`] whose type is forgotten.
pub trait ErasedPattern: Send + Sync {
    /// See [`Plan::from_pattern`].
    ///
    /// # Errors
    /// Where the pattern is not defined for the size.
    fn plan(&self, rank: Rank, size: usize) -> Result<Plan>;
}

impl<P: Pattern + Send + Sync> ErasedPattern for P {
    fn plan(&self, rank: Rank, size: usize) -> Result<Plan> {
        Plan::from_pattern(self, rank, size)
    }
}

/// A [`BarrierProgram`] whose type is forgotten: one dynamic call around an episode on cells, none inside.
pub trait ErasedProgram: Send + Sync {
    /// See [`BarrierProgram::cells`].
    fn cells(&self, size: usize) -> usize;

    /// See [`BarrierProgram::initial`].
    fn initial(&self) -> i64;

    /// See [`BarrierProgram::members`].
    fn members(&self, size: usize) -> Vec<Rank>;

    /// See [`BarrierProgram::required_ordering`].
    fn required_ordering(&self) -> MemoryOrdering;

    /// See [`BarrierProgram::episode`].
    ///
    /// # Errors
    /// See [`BarrierProgram::episode`].
    fn run_on_cells(&self, cells: &mut Cells<'_>, epoch: i64) -> Result<()>;

    /// See [`BarrierProgram::episode`].
    ///
    /// # Errors
    /// See [`BarrierProgram::episode`].
    fn run_on_memory(&self, memory: &mut dyn Memory, epoch: i64) -> Result<()>;
}

impl<P: BarrierProgram + Send + Sync> ErasedProgram for P {
    fn cells(&self, size: usize) -> usize {
        BarrierProgram::cells(self, size)
    }

    fn initial(&self) -> i64 {
        BarrierProgram::initial(self)
    }

    fn members(&self, size: usize) -> Vec<Rank> {
        BarrierProgram::members(self, size)
    }

    fn required_ordering(&self) -> MemoryOrdering {
        BarrierProgram::required_ordering(self)
    }

    fn run_on_cells(&self, cells: &mut Cells<'_>, epoch: i64) -> Result<()> {
        self.episode(cells, epoch)
    }

    fn run_on_memory(&self, mut memory: &mut dyn Memory, epoch: i64) -> Result<()> {
        self.episode(&mut memory, epoch)
    }
}

/// Every barrier, by family and name; the wrong ones are not among them.
pub fn all() -> Vec<&'static BarrierEntry> {
    filtered(|entry| entry.family != Family::Wrong)
}

/// The barriers that must be refused.
pub fn wrong() -> Vec<&'static BarrierEntry> {
    filtered(|entry| entry.family == Family::Wrong)
}

fn filtered(wanted: fn(&BarrierEntry) -> bool) -> Vec<&'static BarrierEntry> {
    let all = crate::barrier::ENTRIES.iter().copied().flatten();
    let mut rows: Vec<_> = all.filter(|entry| wanted(entry)).collect();
    rows.sort_by_key(|entry| (entry.family, entry.name));
    rows
}

/// The barrier of that name, wrong ones included.
///
/// # Errors
/// [`Error::Setup`] that lists the names that come nearest.
pub fn find(name: &str) -> Result<&'static BarrierEntry> {
    let found = crate::barrier::ENTRIES.iter().copied().flatten().find(|entry| entry.name == name);
    found.ok_or_else(|| {
        let names: Vec<_> = all().iter().map(|entry| entry.name).collect();
        Error::Setup(barrier::unknown(name.escape_debug().to_string(), names.join(", ")))
    })
}

/// ceil(log2 p).
pub fn ceil_log2(p: usize) -> usize {
    p.next_power_of_two().trailing_zeros() as usize
}

/// ceil(log_k p): the fewest digits of base `k` that number `p` things.
///
/// # Panics
/// For a base below 2.
pub fn ceil_log(k: usize, p: usize) -> usize {
    assert!(k >= 2, "logarithm of base {k}");
    std::iter::successors(Some(1_usize), |power| power.checked_mul(k)).take_while(|power| *power < p).count()
}
