//! MCS tree: arrive up a 4-ary heap, wake up down a binary one.
//!
//! Source: Mellor-Crummey and Scott, "Algorithms for scalable synchronization on shared-memory multiprocessors", 1991.
//!
//! Arrival: wait for the children 4 r + 1 .. 4 r + 4, signal the parent floor((r - 1) / 4): four bytes of one word, so
//! one line shows the arrival of all children. Wake-up: wait for floor((r - 1) / 2), signal 2 r + 1 and 2 r + 2: two
//! stores are short, and a narrow tree has no contended line.
//!
//! Messages 2 (P - 1), hops at most depth_4(P) + floor(log2 P). Every rank waits on its own lines only. Safe back to
//! back.
use wb_comm::{Result, Text};

use super::k_ary_tree::KAryTree;
use crate::barriers::{
    BarrierCost, BarrierEntry, Family, GatherRelease, Guarantee, Implementation, PlanBuilder,
};

/// The MCS tree: arrival on a 4-ary heap, wake-up on a binary heap, 2 (P - 1) messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct McsTree;

impl crate::barriers::Pattern for McsTree {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        KAryTree::new(4).gather(plan)?;
        KAryTree::new(2).release(plan)
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "mcs_tree",
    family: Family::SharedMemory,
    source: "Mellor-Crummey, Scott 1991",
    section: "2.8, 6",
    summary: Text {
        en: "arrive up a 4-ary tree, wake up down a binary one",
        ru: "прибытие вверх по 4-ичному дереву, пробуждение вниз по двоичному",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| BarrierCost { messages: 2 * (p - 1), rounds: None, hops: None }),
    implementation: Implementation::Pattern(|_| Ok(Box::new(McsTree))),
}];
