//! Double ring whose synchronous message has a tag of its own, "SYNC_TAG", which no rank receives.
//!
//! The source text takes "synchronous mode" for a second tag. The last lap's messages are signalled on slot 1 and received on
//! slot 0: every rank waits for ever. The same slot, in synchronous mode, is right.
use wb_comm::Text;

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation, catalogue::pattern::double_ring::DoubleRing,
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "double_ring_sync_tag",
    family: Family::Wrong,
    source: "an analysis of Open MPI's barriers, double ring",
    section: "8, row 2",
    summary: Text {
        en: "double ring whose second lap is sent with another tag than it is received with",
        ru: "двойное кольцо, второй круг которого отправлен не с тем тегом, с каким принимается",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Pattern(|_| Ok(Box::new(DoubleRing::<1>))),
}];
