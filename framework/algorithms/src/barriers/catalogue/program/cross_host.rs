//! Ascend between hosts: dissemination by signals, remote writes that need no processor at their target.
//!
//! quiet to every peer first. Round k, by vector core 0 of every PE: signal (me + 2^k) mod P on its slot k, wait for
//! the own slot k. Slots are numbered by *round*: with the sender's global number, as in the source, the 40 lines
//! overflow from PE 40 on. The state is its own: if it shared slot 0 with the pull barrier, each would receive the
//! other's signals.
//!
//! P ceil(log2 P) signals, ceil(log2 P) rounds and hops. The quiet also orders a slot's signals across episodes, so that
//! the word a signal is sent from may be reused.
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation,
    ascend::{CoreContext, NpuBarrier, OneCore, disseminate},
    catalogue::pattern::dissemination,
    logarithm::ceil_log2,
};

/// Ascend's dissemination between hosts: P ceil(log2 P) signals, all by vector core 0 of each PE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CrossHost;

impl NpuBarrier for CrossHost {
    fn cells(&self, pes: usize) -> usize {
        ceil_log2(pes)
    }

    #[inline]
    fn episode<L: CoreContext>(&self, core: &mut L, epoch: i64) -> Result<()> {
        if core.vector_core() != Some(0) {
            return Ok(());
        }
        let mut m = core.pe_memory();
        m.quiet()?;
        disseminate(&mut m, epoch, Until::AtLeast(epoch))
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "cross_host",
    family: Family::Ascend,
    source: "Ascend SHMEM, cross-host dissemination with signalling",
    section: "3.4",
    summary: Text {
        en: "quiet, then dissemination by remote signals, a slot a round",
        ru: "завершение операций, затем рассеивание удалёнными сигналами, ячейка на шаг",
    },
    guarantee: Guarantee::COMPLETION,
    cost: Some(dissemination::cost),
    implementation: Implementation::Program(|_| Ok(Box::new(OneCore(CrossHost)))),
}];
