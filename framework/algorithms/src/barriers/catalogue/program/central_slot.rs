//! Central counter on one slot, as in OpenSHMEM libraries: the root reads all slots, then releases.
//!
//! Every PE but PE 0 sets its own slot to WAIT. PE 0 gets each slot until it has seen WAIT there, *once for each PE*,
//! then puts RUN into all of them and waits until that has arrived (quiet). The others wait for RUN and set their slot
//! back.
//!
//! Puts P - 1 and at least P - 1 gets. One cell a PE. The quiet is necessary: without it PE 0 enters the next episode
//! and still sees the old WAIT of a PE whose RUN is in flight (`central_without_quiet` among the wrong ones).
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{
    BarrierCost, BarrierEntry, Family, Guarantee, Implementation,
    slot::{RELEASED, SLOT, UNUSED, WAITING},
};

/// The central barrier on one slot a PE, which PE 0 reads and releases. Without `QUIET` it is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CentralSlot<const QUIET: bool = true>;

impl<const QUIET: bool> crate::barriers::BarrierProgram for CentralSlot<QUIET> {
    fn cells(&self, _size: usize) -> usize {
        1
    }

    fn initial(&self) -> i64 {
        UNUSED
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, _epoch: i64) -> Result<()> {
        if m.rank() == 0 {
            (1..m.size()).try_for_each(|pe| m.poll(pe, SLOT, Until::Equal(WAITING)))?;
            (1..m.size()).try_for_each(|pe| m.put(pe, SLOT, RELEASED))?;
            return if QUIET { m.quiet() } else { Ok(()) };
        }
        m.store(SLOT, WAITING)?;
        m.wait(SLOT, Until::Equal(RELEASED))?;
        m.store(SLOT, UNUSED)
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "central_slot",
    family: Family::OneSided,
    source: "Open MPI OSHMEM scoll/basic, central counter (one slot)",
    section: "2.1",
    summary: Text {
        en: "PE 0 looks until it has seen every PE waiting, then lets every PE run",
        ru: "PE 0 опрашивает ячейки, пока не увидит каждого ждущим, затем отпускает всех",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| BarrierCost { messages: p - 1, rounds: None, hops: None }),
    implementation: Implementation::Program(|_| Ok(Box::new(CentralSlot::<true>))),
}];
