//! Ascend's level 2, versions 2 and 4: dissemination in groups of k, the work of a round shared by the vector cores.
//!
//! The signals, rounds and slots are those of `k_dissemination`, and the radix that of `group_dissemination`: these are
//! patterns, and proved for every P. This program adds what a pattern cannot express. Core j takes signals j, j +
//! cores, ... of a round: it puts the epoch into the slots of the PEs ahead, and waits for its own slots. *Between
//! rounds the cores synchronise*, since a round forwards the arrivals that all cores have received in the one before,
//! not only the core's own. Slots hold epochs, put after one fence, of which a waiter accepts the next as well; the
//! pattern's counters need neither. So the program is explored with its cores (`three_level_group`); with one core a PE
//! it equals the pattern with flags.
//!
//! k is at least 2 for any number of vector cores: with k = 1 (the source, one core) the distance never grows.
use wb_comm::{Memory, Result, Text};

use crate::barriers::{
    BarrierEntry, Family, GroupConfig, Guarantee, Implementation,
    ascend::{CoreContext, NpuBarrier, OneCore, at_epoch_or_next},
    catalogue::pattern::{
        group_dissemination::GroupDissemination,
        k_dissemination::{KDissemination, cost},
    },
};

/// The k-dissemination among PEs whose vector cores share the signals of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NpuGroup(KDissemination);

/// The groups of version 2.
const VERSION_2: usize = 8;

impl NpuGroup {
    /// The barrier with groups of `radix`, at least 2; smaller where there are fewer PEs.
    ///
    /// # Panics
    /// For a radix below 2.
    pub fn with_radix(radix: usize) -> Self {
        Self(KDissemination::new(radix))
    }

    /// The barrier with groups of 8, unless `config` requests another radix.
    ///
    /// # Errors
    /// See [`GroupConfig::radix_or`].
    pub fn version_2(config: &GroupConfig) -> Result<Self> {
        KDissemination::for_group(config, VERSION_2).map(Self)
    }

    /// The barrier with version 4's radix for `pes`.
    pub fn version_4(pes: usize) -> Self {
        Self::with_radix(GroupDissemination::V4.radix(pes))
    }

    /// One core's share of one round: puts first, then waits.
    fn round<M: Memory>(
        self,
        m: &mut M,
        round: usize,
        (vector_core, vector_cores): (usize, usize),
        epoch: i64,
    ) -> Result<()> {
        let (me, size) = (m.rank(), m.size());
        let mut share = self.0.distances(size, round).skip(vector_core).step_by(vector_cores);
        share.clone().try_for_each(|(ahead, slot)| m.put((me + ahead) % size, slot, epoch))?;
        share.try_for_each(|(_, slot)| m.wait(slot, at_epoch_or_next(epoch)))
    }
}

impl NpuBarrier for NpuGroup {
    fn cells(&self, pes: usize) -> usize {
        self.0.slots(pes)
    }

    fn core_barriers(&self, pes: usize) -> usize {
        self.0.phases(pes).saturating_sub(1)
    }

    #[inline]
    fn episode<L: CoreContext>(&self, core: &mut L, epoch: i64) -> Result<()> {
        let (vector_core, vector_cores) = (core.vector_core(), core.vector_cores());
        core.pe_memory().fence()?;
        let size = core.pe_memory().size();
        for round in 0..self.0.phases(size) {
            if round > 0 {
                core.core_barrier()?;
            }
            if let Some(vector_core) = vector_core {
                self.round(&mut core.pe_memory(), round, (vector_core, vector_cores), epoch)?;
            }
        }
        Ok(())
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    BarrierEntry {
        name: "npu_group",
        family: Family::Ascend,
        source: "Ascend SHMEM, NPU level, version 2 (group dissemination)",
        section: "3.2",
        summary: Text {
            en: "dissemination in groups of 8, a slot for each round and member",
            ru: "рассеивание группами по 8, ячейка на каждый шаг и участника группы",
        },
        guarantee: Guarantee::RENDEZVOUS,
        cost: Some(|p| cost(VERSION_2, p)),
        implementation: Implementation::Program(|config| Ok(Box::new(OneCore(NpuGroup::version_2(config)?)))),
    },
    BarrierEntry {
        name: "npu_group_v4",
        family: Family::Ascend,
        source: "Ascend SHMEM, NPU level, version 4 (group dissemination, radix by size)",
        section: "3.2",
        summary: Text {
            en: "dissemination in groups, the smallest power of two that gives the fewest rounds",
            ru: "рассеивание группами; размер — наименьшая степень двойки с наименьшим числом шагов",
        },
        guarantee: Guarantee::RENDEZVOUS,
        cost: Some(|p| cost(GroupDissemination::V4.radix(p), p)),
        implementation: Implementation::Program(|config| {
            Ok(Box::new(OneCore(NpuGroup::version_4(config.size))))
        }),
    },
];
