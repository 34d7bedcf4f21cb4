//! Ascend's level 1 in software: dissemination with stores, for kernels that must not use SyncAll.
//!
//! Round k: store the epoch into slot k of core (id + 2^k) mod n, wait until the own slot k has reached it.
//!
//! n ceil(log2 n) stores, ceil(log2 n) rounds; ceil(log2 n) slots a core (6 for 48 cores). Waiting for *at least* the
//! epoch permits a fast neighbour to be one ahead; the fence ensures that its stores to one slot do not overtake each
//! other (free where memory is shared).
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation, ascend::disseminate, catalogue::pattern::dissemination,
    logarithm::ceil_log2,
};

/// Dissemination among the cores of a PE: n ceil(log2 n) stores of the epoch for n cores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoreDissemination;

impl crate::barriers::BarrierProgram for CoreDissemination {
    fn cells(&self, size: usize) -> usize {
        ceil_log2(size)
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        m.fence()?;
        disseminate(m, epoch, Until::AtLeast(epoch))
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "core_dissemination",
    family: Family::Ascend,
    source: "Ascend SHMEM, core level (software fallback); Hensgen, Finkel, Manber 1988",
    section: "3.1",
    summary: Text {
        en: "dissemination among cores: epochs stored into a slot a round",
        ru: "рассеивание между ядрами: номера эпох записываются в ячейку каждого шага",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(dissemination::cost),
    implementation: Implementation::Program(|_| Ok(Box::new(CoreDissemination))),
}];
