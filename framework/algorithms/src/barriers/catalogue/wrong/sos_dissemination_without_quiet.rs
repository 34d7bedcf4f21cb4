//! Wrong: Sandia OpenSHMEM's dissemination without the quiet at the end.
//!
//! The -1 by which a PE resets its own slot is still in flight when the next episode reads the slot, which accepts the
//! old 1. Right: `sos_dissemination`.
use wb_comm::Text;

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation, catalogue::program::sos_dissemination::SosDissemination,
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "sos_dissemination_without_quiet",
    family: Family::Wrong,
    source: "Sandia OpenSHMEM before pull requests 115 and 387",
    section: "2.7",
    summary: Text {
        en: "the -1 to the own slot may still be under way when the next episode looks",
        ru: "-1 в свою ячейку может ещё не дойти, когда следующий эпизод её читает",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Program(|_| Ok(Box::new(SosDissemination::<false>))),
}];
