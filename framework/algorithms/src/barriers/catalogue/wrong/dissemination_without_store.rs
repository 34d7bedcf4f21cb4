//! Wrong: dissemination on one slot without the store of 0 at the beginning.
//!
//! Every rank gets its partner's slot until it is 0 and finds -1, for ever. Right: `dissemination_slot`.
use wb_comm::Text;

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation,
    catalogue::program::dissemination_slot::DisseminationSlot,
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "dissemination_without_store",
    family: Family::Wrong,
    source: "source text on OpenSHMEM, dissemination",
    section: "8, row 11",
    summary: Text {
        en: "no rank sets its slot to 0 at the beginning",
        ru: "никто не обнуляет свою ячейку в начале",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Program(|_| Ok(Box::new(DisseminationSlot::<true, false>))),
}];
