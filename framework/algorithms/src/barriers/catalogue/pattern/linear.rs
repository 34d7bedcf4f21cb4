//! Linear barrier: every rank signals rank 0, which then signals every rank.
//!
//! Source: Open MPI coll/base barrier 1 ("basic linear"); OpenSHMEM's "basic" is the same over named sources.
//!
//! r > 0: signal 0, wait for 0. r = 0: wait for 1..P-1, then signal 1..P-1. Messages 2 (P - 1), rounds 2 (P - 1), 2 hops; in LogP
//! 2 L + 4 o + 2 (P - 2) max(o, g). The root's ports are the bottleneck, so it is good for a handful of ranks.
//!
//! It is unsafe only with wildcard receives: a message of a member of another, overlapping group could then match. Here
//! every source is named.
use wb_comm::{Result, Text};

use crate::barriers::{
    BarrierCost, BarrierEntry, Family, GatherRelease, Guarantee, Implementation, PlanBuilder,
};

/// The linear barrier with root 0: 2 (P - 1) messages, 2 hops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Linear;

impl GatherRelease for Linear {
    fn gather(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        match plan.rank() {
            0 => (1..plan.size()).try_for_each(|peer| plan.wait_signal(peer, 0)),
            _ => plan.signal(0, 0),
        }
    }

    fn release(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        match plan.rank() {
            0 => (1..plan.size()).try_for_each(|peer| plan.signal(peer, 0)),
            _ => plan.wait_signal(0, 0),
        }
    }
}

/// 2 (P - 1) messages, one after the other through the root's ports.
pub(crate) fn cost(p: usize) -> BarrierCost {
    let hops = if p > 1 { 2 } else { 0 };
    BarrierCost { messages: 2 * (p - 1), rounds: Some(2 * (p - 1)), hops: Some(hops) }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "linear",
    family: Family::TwoSided,
    source: "Open MPI coll/base barrier 1 (\"basic linear\"); OSHMEM scoll/basic (\"basic\")",
    section: "1.1, 2.5",
    summary: Text {
        en: "every rank signals rank 0, which then signals every rank",
        ru: "все сообщают рангу 0, затем он сообщает всем",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(cost),
    implementation: Implementation::Pattern(|_| Ok(Box::new(Linear))),
}];
