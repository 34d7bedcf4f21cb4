//! Wrong: the partial barrier that clears its slots and then meets (Ascend's source).
//!
//! A fast PE clears the flag that a slow one has not yet seen, and waits for it at the meeting; the slow one waits for the
//! flag. Here with two slots in place of 64, so that the trace stays short. Right: `partial_slots_cleared`.
use wb_comm::Text;

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation, Subset,
    catalogue::program::partial_slots::{PartialSlots, SlotReuse},
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "partial_clear_first",
    family: Family::Wrong,
    source: "Ascend SHMEM, partial barrier",
    section: "8, row 25",
    summary: Text {
        en: "at the wrap every rank clears its flags and only then meets the others",
        ru: "при обороте каждый сначала сбрасывает флаги и лишь затем встречается с остальными",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Program(|config| {
        Ok(Box::new(PartialSlots::new(Subset::all(config.size)?, 2, SlotReuse::ClearBarrier)))
    }),
}];
