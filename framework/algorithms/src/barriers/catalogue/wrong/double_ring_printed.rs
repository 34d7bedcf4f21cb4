//! Double ring as a source text prints it: both receives are for `rank > 0`, and rank 0 has none.
//!
//! Rank 0 never waits, so it leaves before any other rank has entered: with 2 ranks it knows of no other rank. Two messages to it
//! are left over, and the synchronous one of rank P - 1 never ends. See `double_ring` for what rank 0 must do.
use wb_comm::{Result, Text};

use crate::barriers::{BarrierEntry, Family, Guarantee, Implementation, PlanBuilder};

/// A wrong double ring: rank 0 never waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DoubleRingPrinted;

impl crate::barriers::Pattern for DoubleRingPrinted {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let (r, p) = (plan.rank(), plan.size());
        let (left, right) = ((r + p - 1) % p, (r + 1) % p);
        let others = (r > 0).then_some(left);
        if p == 1 {
            return Ok(());
        }
        others.map_or(Ok(()), |left| plan.wait_signal(left, 0))?;
        plan.signal(right, 0)?;
        others.map_or(Ok(()), |left| plan.wait_signal(left, 0))?;
        plan.signal_synchronously(right, 0)
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "double_ring_printed",
    family: Family::Wrong,
    source: "an analysis of Open MPI's barriers, double ring",
    section: "8, row 1",
    summary: Text {
        en: "double ring in which rank 0 waits for nothing: it leaves immediately",
        ru: "двойное кольцо, в котором ранг 0 никого не слушает: он уходит сразу",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Pattern(|_| Ok(Box::new(DoubleRingPrinted))),
}];
