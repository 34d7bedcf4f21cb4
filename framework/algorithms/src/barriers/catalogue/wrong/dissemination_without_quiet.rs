//! Wrong where messages overtake: dissemination on one slot without the quiet at the end.
//!
//! A late put arrives after its target has set the slot back, and the next episode finds an unexpected value.
//! Transports that order a put before a later get to the same PE hide it. Right: `dissemination_slot`.
use wb_comm::Text;

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation,
    catalogue::program::dissemination_slot::DisseminationSlot,
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "dissemination_without_quiet",
    family: Family::Wrong,
    source: "Open MPI OSHMEM scoll/basic, dissemination",
    section: "8, row 13",
    summary: Text {
        en: "a put may arrive after its target has set its slot back",
        ru: "запись может прийти после того, как её цель сбросила ячейку",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Program(|_| Ok(Box::new(DisseminationSlot::<false, true>))),
}];
