//! The configuration of a machine: PEs, the cores of each, and the barrier of each level.
use wb_algorithms::barriers::{
    ascend::NpuBarrier,
    catalogue::program::{cross_host::CrossHost, npu_group::NpuGroup, npu_pull::NpuPull, npu_push::NpuPush},
    logarithm::ceil_log2,
};
use wb_comm::{Text, text::ascend};

use crate::ascend::{Error, Result};

/// The cores of a PE that synchronise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CoreSet {
    /// The vector cores; cube cores do not wait.
    Vector,
    /// Vector and cube cores (a mixed kernel).
    All,
}

impl CoreSet {
    /// All values.
    pub const ALL: [Self; 2] = [Self::Vector, Self::All];
}

impl CoreSet {
    pub(crate) fn text(self) -> Text {
        match self {
            Self::Vector => ascend::vector_cores(),
            Self::All => ascend::all_cores(),
        }
    }
}

/// Level 1: the barrier of the cores of a PE. The two must not be mixed on one set's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CoreBarrier {
    /// The analogue of the hardware's SyncAll.
    SyncAll,
    /// Dissemination in software.
    Software,
}

impl CoreBarrier {
    pub(crate) fn text(self) -> Text {
        match self {
            Self::SyncAll => Text::verbatim("SyncAll"),
            Self::Software => ascend::software_barrier(),
        }
    }
}

/// Level 2: the barrier of the PEs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NpuBarrierKind {
    /// Every core reads every core's flag (version 3).
    Pull,
    /// Dissemination (version 1).
    Push,
    /// Dissemination in groups of this size (version 2).
    Group(usize),
    /// Dissemination in groups whose size depends on the number of PEs (version 4).
    GroupBySize,
    /// Signals between hosts.
    CrossHost,
    /// `barrier_sys`: PEs signal the leader of their host, leaders disseminate and release. The host of each PE.
    Sys(Vec<usize>),
}

impl NpuBarrierKind {
    /// Cells that each PE needs, for a team of at most `pes`.
    pub(crate) fn cells(&self, pes: usize) -> usize {
        let needed = |size: usize| match self {
            Self::Pull => NpuPull.cells(size),
            Self::Push => NpuPush.cells(size),
            Self::Group(radix) => NpuGroup::with_radix(*radix).cells(size),
            Self::GroupBySize => NpuGroup::version_4(size).cells(size),
            Self::CrossHost => CrossHost.cells(size),
            // A leader receives one signal from every member of its host, and one from a leader in each round.
            Self::Sys(_) => size + ceil_log2(size),
        };
        (1..=pes).map(needed).max().unwrap_or_default()
    }
}

/// A machine of equal PEs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AscendMachine {
    /// The number of PEs.
    pub pes: usize,
    /// Vector cores of each; they are numbered first.
    pub vector: usize,
    /// Cube cores of each.
    pub cube: usize,
    /// Level 1 of the composition.
    pub core_barrier: CoreBarrier,
    /// Level 2 of the composition.
    pub npu_barrier: NpuBarrierKind,
}

impl AscendMachine {
    /// `pes` PEs with `vector` vector cores, SyncAll among cores and pull among PEs.
    pub fn new(pes: usize, vector: usize) -> Self {
        Self { pes, vector, cube: 0, core_barrier: CoreBarrier::SyncAll, npu_barrier: NpuBarrierKind::Pull }
    }

    /// Cores of one PE.
    pub fn cores_per_pe(&self) -> usize {
        self.vector + self.cube
    }

    /// The number of a PE's cores that form the set; they are the first.
    pub fn core_count(&self, set: CoreSet) -> usize {
        match set {
            CoreSet::Vector => self.vector,
            CoreSet::All => self.cores_per_pe(),
        }
    }

    /// Checks that the machine has cores and that level 2 makes progress.
    ///
    /// # Errors
    /// [`Error::NoCores`]; [`Error::Hosts`] when not every PE has one; [`Error::Comm`] for groups of fewer than 2, with
    /// which no distance grows.
    pub fn check(&self) -> Result<()> {
        if self.pes == 0 || self.vector == 0 {
            return Err(Error::NoCores { pes: self.pes, vector: self.vector });
        }
        match &self.npu_barrier {
            NpuBarrierKind::Sys(hosts) if hosts.len() != self.pes => {
                Err(Error::Hosts { hosts: hosts.len(), pes: self.pes })
            }
            NpuBarrierKind::Group(radix @ (0 | 1)) => {
                Err(wb_comm::Error::Setup(wb_comm::text::barrier::radix(*radix)).into())
            }
            _ => Ok(()),
        }
    }
}
