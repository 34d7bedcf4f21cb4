//! Ascend's level 2, version 1: dissemination that pushes the epoch.
//!
//! Round k, by one vector core: store the epoch into slot k of PE (me + 2^k) mod P, wait until the own slot k is the epoch
//! or the next one.
//!
//! P ceil(log2 P) stores, ceil(log2 P) rounds, ceil(log2 P) slots (an older version had a slot for every sender: O(P)).
//! Right where stores of one PE to one slot arrive in order, which the fence makes so; with counters instead of stores
//! (the catalogue's `dissemination`) no order is needed.
use wb_comm::{Memory, Result, Text};

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation,
    ascend::{CoreContext, NpuBarrier, OneCore, at_epoch_or_next, disseminate},
    catalogue::pattern::dissemination,
    logarithm::ceil_log2,
};

/// The dissemination among PEs by stores of the epoch: P ceil(log2 P) stores by vector core 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NpuPush;

impl NpuBarrier for NpuPush {
    fn cells(&self, pes: usize) -> usize {
        ceil_log2(pes)
    }

    #[inline]
    fn episode<L: CoreContext>(&self, core: &mut L, epoch: i64) -> Result<()> {
        if core.vector_core() != Some(0) {
            return Ok(());
        }
        let mut m = core.pe_memory();
        m.fence()?;
        disseminate(&mut m, epoch, at_epoch_or_next(epoch))
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "npu_push",
    family: Family::Ascend,
    source: "Ascend SHMEM, NPU level, version 1 (dissemination, push)",
    section: "3.2",
    summary: Text {
        en: "dissemination among NPUs: the epoch is pushed into the peer's slot of the round",
        ru: "рассеивание между NPU: номер эпохи записывается в ячейку шага у соседа",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(dissemination::cost),
    implementation: Implementation::Program(|_| Ok(Box::new(OneCore(NpuPush)))),
}];
