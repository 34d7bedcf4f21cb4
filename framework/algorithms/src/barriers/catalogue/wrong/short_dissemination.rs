//! Dissemination with floor(log2 P) rounds instead of ceil(log2 P).
//!
//! Right for powers of two. With 3 ranks there is one round, after which rank 0 knows of rank 2 only.
use wb_comm::{Result, Text};

use crate::barriers::{BarrierEntry, Family, Guarantee, Implementation, PlanBuilder};

/// A wrong dissemination: floor(log2 P) rounds instead of ceil(log2 P).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShortDissemination;

impl crate::barriers::Pattern for ShortDissemination {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let (r, p) = (plan.rank(), plan.size());
        (0..p.ilog2()).try_for_each(|k| {
            plan.signal((r + (1 << k)) % p, k)?;
            plan.wait_signal((r + p - (1 << k)) % p, k)
        })
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "short_dissemination",
    family: Family::Wrong,
    source: "dissemination with floor(log2 P) rounds",
    section: "8, row 12",
    summary: Text {
        en: "dissemination with one round too few, where P is no power of two",
        ru: "рассеивание, в котором не хватает шага, если P не степень двойки",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Pattern(|_| Ok(Box::new(ShortDissemination))),
}];
