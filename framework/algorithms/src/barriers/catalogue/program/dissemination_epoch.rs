//! Dissemination by epochs: the number of the episode is put into the slot of the round.
//!
//! Round k: put b into slot k of (r + 2^k) mod P, wait until the own slot k is at least b. There is no reset, no read
//! of a remote cell and no atomic addition: the cheapest form where stores of one PE to one cell arrive in order, as in
//! shared memory. For two it is a plain handshake: both stores and both reads on one line if the cells are packed.
//!
//! P ceil(log2 P) stores, ceil(log2 P) rounds and hops, as many cells. Under unordered delivery an old epoch can overwrite
//! a newer one (`dissemination_epoch_unordered` among the wrong ones); additions cannot do that.
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation, MemoryOrdering, catalogue::pattern::dissemination,
    logarithm::ceil_log2,
};

/// Dissemination by epoch flags: P ceil(log2 P) puts, which must arrive in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DisseminationEpoch;

impl crate::barriers::BarrierProgram for DisseminationEpoch {
    fn cells(&self, size: usize) -> usize {
        ceil_log2(size)
    }

    fn required_ordering(&self) -> MemoryOrdering {
        MemoryOrdering::FIFO
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let (r, p) = (m.rank(), m.size());
        let (mut round, mut distance) = (0, 1);
        while distance < p {
            let ahead = r + distance;
            m.put(if ahead < p { ahead } else { ahead - p }, round, epoch)?;
            m.wait(round, Until::AtLeast(epoch))?;
            (round, distance) = (round + 1, 2 * distance);
        }
        Ok(())
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "dissemination_epoch",
    family: Family::SharedMemory,
    source: "Hensgen, Finkel, Manber 1988, with epochs",
    section: "6",
    summary: Text {
        en: "dissemination with a line for each round; the episode's number is stored there",
        ru: "рассеивание с ячейкой на каждый шаг, куда пишется номер эпизода",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(dissemination::cost),
    implementation: Implementation::Program(|_| Ok(Box::new(DisseminationEpoch))),
}];
