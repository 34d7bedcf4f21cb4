//! Partial barrier on 64 slots (Ascend's `shmemx_partial_barrier`), corrected.
//!
//! Call number b uses slot (b - 1) mod 64. A listed PE raises its own flag of the slot and gets the flags of the other
//! listed PEs. *All* PEs of the team must call; those not listed only count the call, otherwise the numbers differ.
//!
//! With epochs the flag is the number of the call and is never cleared: a wait for at least it. With clearing the flag
//! is 1, and at the wrap all PEs synchronise, clear, and *synchronise again*. If they clear first and synchronise
//! afterwards, as the source does, a PE that has not yet seen the last flag waits for ever (`partial_clear_first` among
//! the wrong ones).
//!
//! n stores and n (n - 1) gets for n listed, 1 hop; 64 cells, with clearing one more for the meetings.
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{BarrierCost, BarrierEntry, Family, Guarantee, Implementation, Subset};

/// The number of slots in the source.
pub const SLOTS: usize = 64;

/// How a slot becomes free again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotReuse {
    /// No reset is needed: flags are numbers of calls.
    Epochs,
    /// At the wrap every PE synchronises, clears, and synchronises again.
    BarrierClearBarrier,
    /// At the wrap every PE clears, and then synchronises. Wrong.
    ClearBarrier,
}

/// The partial barrier on slots: the listed PEs synchronise, the others of the team only count the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialSlots {
    listed: Subset,
    slots: usize,
    reuse: SlotReuse,
}

impl PartialSlots {
    /// Among the listed PEs.
    ///
    /// # Panics
    /// When there are no slots.
    pub fn new(listed: Subset, slots: usize, reuse: SlotReuse) -> Self {
        assert!(slots > 0, "a barrier without a slot");
        Self { listed, slots, reuse }
    }

    /// All PEs of the team, listed or not.
    #[inline]
    fn team_barrier<M: Memory>(&self, m: &mut M, number: i64) -> Result<()> {
        m.store(self.slots, number)?;
        let me = m.rank();
        let mut others = (0..m.size()).filter(|&pe| pe != me);
        others.try_for_each(|pe| m.poll(pe, self.slots, Until::AtLeast(number)))
    }

    fn clear<M: Memory>(&self, m: &mut M) -> Result<()> {
        (0..self.slots).try_for_each(|slot| m.store(slot, 0))
    }

    /// Before the call that uses the last slot: the source wraps its index there.
    fn wrap<M: Memory>(&self, m: &mut M, round: i64) -> Result<()> {
        match self.reuse {
            SlotReuse::Epochs => Ok(()),
            SlotReuse::ClearBarrier => {
                self.clear(m)?;
                self.team_barrier(m, round)
            }
            SlotReuse::BarrierClearBarrier => {
                self.team_barrier(m, 2 * round - 1)?;
                self.clear(m)?;
                self.team_barrier(m, 2 * round)
            }
        }
    }
}

impl crate::barriers::BarrierProgram for PartialSlots {
    fn cells(&self, _size: usize) -> usize {
        self.slots + usize::from(self.reuse != SlotReuse::Epochs)
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let slots = self.slots as i64;
        let slot = ((epoch - 1) % slots) as usize;
        if slot + 1 == self.slots {
            self.wrap(m, epoch / slots)?;
        }
        let me = m.rank();
        if self.listed.position(me).is_err() {
            return Ok(());
        }
        let flag = if self.reuse == SlotReuse::Epochs { epoch } else { 1 };
        m.store(slot, flag)?;
        let mut others = self.listed.members().iter().filter(|&&pe| pe != me);
        others.try_for_each(|&pe| m.poll(pe, slot, Until::AtLeast(flag)))
    }
}

fn cost(p: usize) -> BarrierCost {
    BarrierCost { messages: p, rounds: None, hops: None }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    BarrierEntry {
        name: "partial_slots",
        family: Family::Partial,
        source: "Ascend SHMEM, partial barrier, slots with call numbers",
        section: "3.7",
        summary: Text {
            en: "64 slots of own flags; a flag is the number of the call and never cleared",
            ru: "64 ячейки собственных флагов; флаг — номер вызова и никогда не сбрасывается",
        },
        guarantee: Guarantee::RENDEZVOUS,
        cost: Some(cost),
        implementation: Implementation::Program(|config| {
            Ok(Box::new(PartialSlots::new(Subset::all(config.size)?, SLOTS, SlotReuse::Epochs)))
        }),
    },
    BarrierEntry {
        name: "partial_slots_cleared",
        family: Family::Partial,
        source: "Ascend SHMEM, partial barrier, slots cleared between two barriers",
        section: "3.7",
        summary: Text {
            en: "64 slots of own flags; at the wrap all meet, clear them, and meet again",
            ru: "64 ячейки собственных флагов; при обороте все встречаются, сбрасывают их и встречаются снова",
        },
        guarantee: Guarantee::RENDEZVOUS,
        cost: None,
        implementation: Implementation::Program(|config| {
            Ok(Box::new(PartialSlots::new(Subset::all(config.size)?, SLOTS, SlotReuse::BarrierClearBarrier)))
        }),
    },
];
