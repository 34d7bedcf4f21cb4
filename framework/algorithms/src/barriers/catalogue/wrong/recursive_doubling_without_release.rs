//! Recursive doubling without its last line: the extra ranks are never released.
//!
//! Right for powers of two. With 3 ranks, rank 2 signals rank 0 and waits for ever for the answer.
use wb_comm::{Result, Text};

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation, PlanBuilder,
    catalogue::pattern::recursive_doubling::hypercube,
};

/// A wrong recursive doubling: the extra ranks are never released.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecursiveDoublingWithoutRelease;

impl crate::barriers::Pattern for RecursiveDoublingWithoutRelease {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let (r, (p2, rounds, extras)) = (plan.rank(), hypercube(plan.size()));
        if r >= p2 {
            plan.signal(r - p2, 0)?;
            return plan.wait_signal(r - p2, 0);
        }
        if r < extras {
            plan.wait_signal(r + p2, 0)?;
        }
        (0..rounds).try_for_each(|k| {
            plan.signal(r ^ 1 << k, k)?;
            plan.wait_signal(r ^ 1 << k, k)
        })
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "recursive_doubling_without_release",
    family: Family::Wrong,
    source: "an analysis of Open MPI's barriers, recursive doubling",
    section: "8, row 3",
    summary: Text {
        en: "recursive doubling that never releases the ranks beyond a power of two",
        ru: "рекурсивное удвоение, не отпускающее ранги сверх степени двойки",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Pattern(|_| Ok(Box::new(RecursiveDoublingWithoutRelease))),
}];
