//! Recursive doubling whose hypercube does not wait for the extra ranks.
//!
//! Right for powers of two. With 3 ranks, rank 0 leaves without knowing of rank 2, and rank 2's signal is left over:
//! the next episode would take it for its own.
use wb_comm::{Result, Text};

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation, PlanBuilder,
    catalogue::pattern::recursive_doubling::hypercube,
};

/// A wrong recursive doubling: the hypercube does not wait for the extra ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecursiveDoublingDeaf;

impl crate::barriers::Pattern for RecursiveDoublingDeaf {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let (r, (p2, rounds, extras)) = (plan.rank(), hypercube(plan.size()));
        if r >= p2 {
            plan.signal(r - p2, 0)?;
            return plan.wait_signal(r - p2, 0);
        }
        (0..rounds).try_for_each(|k| {
            plan.signal(r ^ 1 << k, k)?;
            plan.wait_signal(r ^ 1 << k, k)
        })?;
        if r < extras { plan.signal(r + p2, 0) } else { Ok(()) }
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "recursive_doubling_deaf",
    family: Family::Wrong,
    source: "an analysis of OpenSHMEM's barriers, recursive doubling",
    section: "8, row 10",
    summary: Text {
        en: "recursive doubling that does not wait for the ranks beyond a power of two",
        ru: "рекурсивное удвоение, не ждущее рангов сверх степени двойки",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Pattern(|_| Ok(Box::new(RecursiveDoublingDeaf))),
}];
