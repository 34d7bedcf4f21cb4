//! Wrong where messages overtake: recursive doubling on one slot without the quiet at the end.
//!
//! As `dissemination_without_quiet`: a put of the last round outlives the episode. Right: `recursive_doubling_slot`.
use wb_comm::Text;

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation,
    catalogue::program::recursive_doubling_slot::RecursiveDoublingSlot,
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "recursive_doubling_without_quiet",
    family: Family::Wrong,
    source: "Open MPI OSHMEM scoll/basic, recursive doubling",
    section: "8, row 13",
    summary: Text {
        en: "a put may arrive after its target has set its slot back",
        ru: "запись может прийти после того, как её цель сбросила ячейку",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Program(|_| Ok(Box::new(RecursiveDoublingSlot::<false>))),
}];
