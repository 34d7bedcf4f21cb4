//! Wrong: the central counter on one slot whose root does not wait until RUN has arrived.
//!
//! The root enters the next episode, looks, and sees the WAIT of the last one where RUN is still under way. Right:
//! `central_slot`.
use wb_comm::Text;

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation, catalogue::program::central_slot::CentralSlot,
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "central_without_quiet",
    family: Family::Wrong,
    source: "source text on OpenSHMEM, central counter",
    section: "8, row 8",
    summary: Text {
        en: "the root does not wait until its releases have arrived",
        ru: "корень не ждёт, пока его отпускания дойдут",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Program(|_| Ok(Box::new(CentralSlot::<false>))),
}];
